"""What one run does to files and data, and where its targets lie. Pure."""
