"""What is answered to a call: by the daemon, after a fault of ours, and when no daemon runs."""
