"""What a person finds with python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

url, token, project_id, group_id = sys.argv[1:5]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
group = client.groups.get(group_id)
seen = {
    "projects": [each["name"] for each in client.search("projects", "search lathe")],
    "issues": [each["title"] for each in client.search("issues", "spindle", iterator=True)],
    "milestones": [each["title"] for each in group.search("milestones", "first")],
    "users": [each["username"] for each in client.search("users", "ada")],
    "blobs": [[each["path"], each["startline"]] for each in project.search("blobs", "spindle")],
    "commits": [each["title"] for each in project.search("commits", "spindle")],
    "notes": [each["body"] for each in project.search("notes", "spindle")],
}
print(json.dumps(seen))
