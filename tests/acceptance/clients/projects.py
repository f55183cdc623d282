"""Stars, archives, forks and webhooks, by stock python-gitlab. Prints what it saw as JSON."""

import json
import sys
import time

import gitlab

url, token, other_token = sys.argv[1:4]
mine = gitlab.Gitlab(url, private_token=token)
theirs = gitlab.Gitlab(url, private_token=other_token)

project = mine.projects.create({"name": "Python engine", "visibility": "public"})
seen = {}

project.star()
seen["starred"] = [each.name for each in mine.projects.list(starred=True)]
seen["star_count"] = mine.projects.get(project.id).star_count
project.unstar()

project.archive()
seen["archived"] = mine.projects.get(project.id).archived
try:
    project.issues.create({"title": "Too late"})
except gitlab.GitlabCreateError as error:
    seen["refused"] = error.response_code
project.unarchive()

fork = theirs.projects.get(project.id).forks.create({"path": "python-fork", "name": "Python fork"})
for _ in range(100):
    found = theirs.projects.get(fork.id)
    if found.import_status == "finished":
        break
    time.sleep(0.1)
seen["import_status"] = found.import_status
seen["forked_from"] = found.forked_from_project["id"] == project.id
seen["forks"] = [each.name for each in project.forks.list()]
found.delete_fork_relation()
seen["forks_left"] = len(project.forks.list())
found.create_fork_relation(project.id)
seen["forks_again"] = len(project.forks.list())

hook = project.hooks.create({"url": "https://receiver.example/hook", "issues_events": True, "token": "hush"})
hook.note_events = True
hook.save()
hook = project.hooks.get(hook.id)
seen["hook"] = [hook.push_events, hook.issues_events, hook.note_events, hasattr(hook, "token")]
hook.delete()
seen["hooks"] = len(project.hooks.list())

print(json.dumps(seen))
