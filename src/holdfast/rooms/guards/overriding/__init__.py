"""A person's override: one refused call may pass, with a code that only the person was shown, at their own terminal."""
