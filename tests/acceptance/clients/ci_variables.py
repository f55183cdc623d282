"""CI variables of a project, a group and the installation, made, changed, listed and removed."""
import json
import sys

import gitlab

url, token, project_id, group_id, admin_token = sys.argv[1:6]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)


def walk(variables):
    """What somebody does who looks after the variables of one place."""
    made = variables.create({"key": "A", "value": "one"})
    found = variables.get("A")
    found.value = "two"
    found.protected = True
    found.save()
    changed = variables.get("A")
    listed = [each.key for each in variables.list(all=True)]
    variables.delete("A")
    return {
        "made": [made.key, made.value, made.variable_type],
        "changed": [changed.value, changed.protected],
        "listed": listed,
        "left": variables.list(all=True),
    }


def refused(call):
    """The status and the words of a refusal."""
    try:
        call()
    except gitlab.GitlabError as error:
        return [error.response_code, error.error_message]
    return "done"


seen = {
    "project": walk(project.variables),
    "group": walk(client.groups.get(group_id).variables),
    "instance": walk(gitlab.Gitlab(url, private_token=admin_token).variables),
}
project.variables.create({"key": "TWICE", "value": "x"})
seen["twice"] = refused(lambda: project.variables.create({"key": "TWICE", "value": "y"}))
seen["gone"] = refused(lambda: project.variables.get("GONE"))
print(json.dumps(seen))
