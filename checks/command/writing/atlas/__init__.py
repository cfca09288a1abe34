"""The command `atlas`: all games of a family as one run that can be stopped, with a page of what is found."""
