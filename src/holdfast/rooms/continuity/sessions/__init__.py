"""A session as its agent reports it: start, end, threshold, hand-over (`calls`); its outcome (`debriefing`); which
project a name such as `owner_repo` means (`remotes`).
"""
