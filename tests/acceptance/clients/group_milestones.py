"""Milestones of a group, by python-gitlab: made, changed, planned for, listed and promoted from a project."""

import json
import sys

import gitlab

url, token = sys.argv[1:3]
gl = gitlab.Gitlab(url, private_token=token)
seen = {}

group = gl.groups.create({"name": "works", "path": "works"})
project = gl.projects.create({"name": "engine", "namespace_id": group.id})
milestone = group.milestones.create({"title": "1.0", "due_date": "2026-12-24"})
seen["made"] = [milestone.title, milestone.due_date, milestone.group_id == group.id]
milestone.title = "1.1"
milestone.save()
issue = project.issues.create({"title": "Smoke", "milestone_id": milestone.id})
seen["planned"] = [issue.milestone["title"], issue.milestone["id"] == milestone.id]
milestone = group.milestones.get(milestone.id)
seen["issues"] = [each.title for each in milestone.issues()]
seen["merge_requests"] = [each.title for each in milestone.merge_requests()]
seen["by_title"] = [each.title for each in group.issues.list(milestone="1.1")]
seen["in_project"] = [each.title for each in project.milestones.list()]
seen["with_those_above"] = [each.title for each in project.milestones.list(include_parent_milestones=True)]
milestone.state_event = "close"
milestone.save()
seen["closed"] = [each.title for each in group.milestones.list(state="closed")]
own = project.milestones.create({"title": "2.0"})
own.promote()
seen["promoted"] = [each.title for each in group.milestones.list(state="active")]
group.milestones.delete(milestone.id)
seen["left"] = project.issues.get(issue.iid).milestone

print(json.dumps(seen))
