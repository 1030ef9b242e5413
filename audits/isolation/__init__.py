"""A user's code in a child process: what it does there (it hangs, exits, crashes, takes all memory) ends the child, never the audit.

child     the process: its limits, and how it ended
server    what runs in it
frames    what travels between the two
elsewhere a mechanism in a child, as the auditor sees it
early     the verdict on what a child gave before it ended
"""
