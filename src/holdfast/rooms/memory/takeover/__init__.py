"""Reading what other memory tools have stored."""
