"""The one exception a user is meant to read."""


class InputError(Exception):
    """Something the user gave can't be used. The message is one sentence that says what and how to mend it."""
