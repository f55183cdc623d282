"""What scripts of python-gitlab have in common."""

import gitlab


def refused(call):
    """The status and text of the refusal that the call meets."""
    try:
        call()
    except gitlab.exceptions.GitlabError as error:
        return [error.response_code, error.error_message]
    raise AssertionError("the call was expected to be refused")
