"""Code that a person writes with python-gitlab, printed as one JSON object for the test that runs it."""

import base64
import json
import sys
import time

import gitlab

from refusals import refused

url, token = sys.argv[1], sys.argv[2]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
client.auth()
project = client.projects.create({"name": "Loom"})

file = project.files.create(
    {"file_path": "docs/read me.rst", "branch": "main", "content": "Initial content", "commit_message": "Initial commit"}
)
seen["created"] = [file.file_path, file.branch]
file = project.files.get(file_path="docs/read me.rst", ref="main")
seen["content"] = file.decode().decode()
file.content = base64.b64encode(b"\x00new").decode()
file.save(branch="main", commit_message="Binary", encoding="base64")
seen["saved"] = project.files.get(file_path="docs/read me.rst", ref="main").decode().hex()
file.delete(branch="main", commit_message="Remove it")

commit = project.commits.create(
    {
        "branch": "main",
        "commit_message": "blah blah blah",
        "actions": [
            {"action": "create", "file_path": "blah", "content": "blah"},
            {"action": "create", "file_path": "run", "content": "#!/bin/sh\n", "execute_filemode": True},
        ],
    }
)
seen["commit"] = [commit.title, commit.stats["total"]]

branch = project.branches.create({"branch": "topic/one", "ref": "main"})
seen["branch"] = [branch.name, branch.commit["id"] == commit.id, branch.can_push]
picked = project.commits.create(
    {
        "branch": "topic/one",
        "commit_message": "Pick me",
        "actions": [{"action": "create", "file_path": "picked", "content": "x"}],
    }
)
picked.cherry_pick(branch="main")
seen["picked"] = project.commits.list(ref_name="main")[0].message.split("\n")[0]
seen["picked_again"] = refused(lambda: picked.cherry_pick(branch="main"))[0]
commit = project.commits.list(ref_name="main")[0]
reverted = commit.revert(branch="main")
seen["reverted"] = reverted["message"].split("\n")[0]
seen["reverted_again"] = refused(lambda: commit.revert(branch="main"))[0]

tag = project.tags.create({"tag_name": "v1.0", "ref": "main", "message": "One"})
seen["tag"] = [tag.name, tag.message]
release = project.releases.create({"name": "First", "tag_name": "v1.0", "description": "It works"})
link = release.links.create({"url": "https://example.com/a", "name": "a"})
link.name = "b"
link.save()
release = project.releases.get("v1.0")
release.description = "It still works"
release.save()
seen["release"] = [release.name, release.description, [each.name for each in release.links.list()]]
link.delete()
project.releases.delete("v1.0")
seen["releases"] = project.releases.list()

protected = project.protectedbranches.create({"name": "rel/*", "push_access_level": 0, "merge_access_level": 30})
seen["protected"] = [protected.name, [each.name for each in project.protectedbranches.list()]]
protected.delete()
project.protectedtags.create({"name": "v*", "create_access_level": "40"})
seen["protected_tags"] = [each.name for each in project.protectedtags.list()]
project.protectedtags.get("v*").delete()

branch.delete()
tag.delete()
project.branches.create({"branch": "done", "ref": "main"})
project.delete_merged_branches()
# They go soon afterwards, and so would a branch that is made of the same commit before.
for _ in range(1200):
    if "done" not in [each.name for each in project.branches.list()]:
        break
    time.sleep(0.1)
seen["default_stays"] = refused(lambda: project.branches.get("main").delete())
project.branches.create({"branch": "next", "ref": "main"})
project.default_branch = "next"
project.save()
seen["default"] = client.projects.get(project.id).default_branch
seen["id"] = project.id
seen["path"] = project.path_with_namespace

print(json.dumps(seen))
