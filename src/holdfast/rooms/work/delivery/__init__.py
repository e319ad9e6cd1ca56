"""What an effort gives: files and texts to its agent, documents to people."""
