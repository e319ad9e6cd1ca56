"""Skills: where one stands, and what it says about its efforts."""
