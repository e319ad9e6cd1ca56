"""The web side: URLs, the addresses that may be asked, and the question to a page's origin."""
