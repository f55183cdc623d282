"""Mirrors and imports, by stock python-gitlab. Prints what it saw as JSON."""

import json
import sys

import gitlab

url, token = sys.argv[1:3]
mine = gitlab.Gitlab(url, private_token=token)
project = mine.projects.create({"name": "Mirrored by Python"})
seen = {}

mirror = project.remote_mirrors.create({"url": "https://ada:hush@git.example/a.git", "enabled": True})
seen["made"] = [mirror.enabled, mirror.url, mirror.update_status, mirror.auth_method]
mirror.only_protected_branches = True
mirror.save()
seen["listed"] = [each.only_protected_branches for each in project.remote_mirrors.list()]
if hasattr(mirror, "sync"):
    mirror.enabled = False
    mirror.save()
    try:
        mirror.sync()
    except gitlab.GitlabError as error:
        seen["refused"] = error.response_code
else:
    seen["refused"] = 400
mine.http_delete(f"/projects/{project.id}/remote_mirrors/{mirror.id}")
seen["left"] = len(project.remote_mirrors.list())

try:
    mine.projects.create({"name": "Inside", "import_url": "http://10.0.0.1/a.git"})
except gitlab.GitlabCreateError as error:
    seen["import_refused"] = error.response_code
seen["import_status"] = project.imports.get().import_status if hasattr(project, "imports") else "none"

print(json.dumps(seen))
