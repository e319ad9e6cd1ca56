"""From a tool event to an observation: what was done, in words a person would use."""
