"""A session as its agent reports it: start, end, threshold, hand-over (`calls`); what it came to (`debriefing`); which
project a name such as `owner_repo` means (`remotes`).
"""
