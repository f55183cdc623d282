"""Labels of a group, by python-gitlab: made, changed, followed, used in a project and promoted from one."""

import json
import sys

import gitlab

url, token = sys.argv[1:3]
gl = gitlab.Gitlab(url, private_token=token)
seen = {}

group = gl.groups.create({"name": "works", "path": "works"})
project = gl.projects.create({"name": "engine", "namespace_id": group.id})
label = group.labels.create({"name": "to do", "color": "#FF0000", "description": "later"})
seen["made"] = [label.name, label.color, label.description]
label.new_name = "done"
label.save()
seen["listed"] = [[each.name, each.open_issues_count] for each in group.labels.list(with_counts=True)]
group.labels.update("done", {"new_name": "past"})
label = group.labels.get("past")
label.subscribe()
seen["subscribed"] = group.labels.get(label.id).subscribed
label.unsubscribe()

issue = project.issues.create({"title": "Smoke", "labels": ["past", "own"]})
seen["labelled"] = issue.labels
seen["in_project"] = [[each.name, each.is_project_label] for each in project.labels.list()]
seen["own"] = [each.name for each in project.labels.list(include_ancestor_groups=False)]
seen["same"] = project.labels.get("past").id == label.id
try:
    project.labels.delete("past")
except gitlab.exceptions.GitlabDeleteError as error:
    seen["refused"] = [error.response_code, error.error_message]
project.labels.get("own").promote()
seen["promoted"] = [each.name for each in group.labels.list()]
group.labels.delete("past")
seen["left"] = project.issues.get(issue.iid).labels

print(json.dumps(seen))
