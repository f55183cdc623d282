"""What python-gitlab finds of each change from V3 to V4 that is about code, printed as one JSON object for the test that runs it."""

import base64
import json
import sys
import time

import gitlab

from refusals import refused

url, token, project_id, first, key, fork_path = sys.argv[1:7]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
here = f"/projects/{project.id}"


def gone(ask):
    """The status of what an address or parameter of V3 is refused with."""
    return refused(ask)[0]


deploy_key = project.keys.create({"title": "robot", "key": key})
seen["keys"] = [
    [each.title for each in project.keys.list()],
    gone(lambda: client.http_get(f"{here}/keys")),
]

old_removal = gone(lambda: client.http_delete(f"{here}/deploy_keys/{deploy_key.id}/disable"))
there = len(project.keys.list())
deploy_key.delete()
seen["disable"] = [old_removal, there, len(project.keys.list())]

project.star()
star_count = client.projects.get(project.id).star_count
starred = [each.id for each in client.projects.list(starred=True)] == [project.id]
seen["starred"] = [starred, gone(lambda: client.http_get("/projects/starred"))]
old_unstar = gone(lambda: client.http_delete(f"{here}/star"))
still = client.projects.get(project.id).star_count
project.unstar()
seen["unstar"] = [star_count, old_unstar, still, client.projects.get(project.id).star_count]

old_fork = gone(lambda: client.http_post(f"/projects/fork/{project.id}"))
fork = project.forks.create({"path": fork_path, "name": fork_path})
for _ in range(600):
    found = client.projects.get(fork.id)
    if found.import_status in ("finished", "failed"):
        break
    time.sleep(0.1)
seen["fork"] = [old_fork, found.import_status, found.forked_from_project["id"] == project.id]

seen["file"] = [
    project.files.get("src/mill.c", "main").file_path,
    gone(lambda: client.http_get(f"{here}/repository/files", query_data={"file_path": "src/mill.c", "ref": "main"})),
]
named = {"file_path": "README.md"}
seen["raw"] = [
    project.files.raw("README.md", first).decode(),
    gone(lambda: client.http_get(f"{here}/repository/commits/{first}/blob", query_data=named)),
    gone(lambda: client.http_get(f"{here}/repository/blobs/{first}", query_data=named)),
]
seen["jobs"] = gone(lambda: client.http_get(f"{here}/repository/commits/{first}/jobs"))

branches = f"{here}/repository/branches"
seen["branch"] = [
    gone(lambda: client.http_post(branches, post_data={"branch_name": "topic", "ref": "main"})),
    project.branches.create({"branch": "topic", "ref": "main"}).name,
]
removed = client.http_delete(f"{branches}/topic")
seen["branch_removed"] = [removed.status_code, removed.json()]

commit = {"commit_message": "Add it", "actions": [{"action": "create", "file_path": "by-commit", "content": "x"}]}
seen["commit"] = [
    gone(lambda: client.http_post(f"{here}/repository/commits", post_data={**commit, "branch_name": "main"})),
    project.commits.create({**commit, "branch": "main"}).title,
]

address = f"{here}/repository/files/by-file"
change = {"commit_message": "Change it", "content": "x"}
before = {**change, "branch_name": "main"}
old_post = gone(lambda: client.http_post(address, post_data=before))
file = project.files.create({**change, "file_path": "by-file", "branch": "main"})
old_put = gone(lambda: client.http_put(address, post_data=before))
file.content = "y"
file.save(branch="main", commit_message="Change it")
old_delete = gone(lambda: client.http_delete(address, query_data=before))
written = project.files.raw("by-file", "main").decode()
file.delete(branch="main", commit_message="Remove it")
seen["files"] = [old_post, old_put, old_delete, written, gone(lambda: project.files.get("by-file", "main"))]

commits = project.commits.list(ref_name="v1.10", iterator=True, per_page=2)
walked = [each.id for each in project.commits.list(ref_name="v1.10", iterator=True, per_page=2)]
pages = [[each.id for each in project.commits.list(ref_name="v1.10", per_page=2, page=page)] for page in (1, 2)]
seen["commits"] = [
    [commits.current_page, commits.prev_page, commits.next_page],
    walked == [each.id for each in project.commits.list(ref_name="v1.10", per_page=100)],
    pages == [walked[:2], walked[2:4]],
]

readme = next(each["id"] for each in project.repository_tree() if each["path"] == "README.md")
blob = project.repository_blob(readme)
seen["blob"] = [blob["sha"] == readme, blob["size"], blob["encoding"], base64.b64decode(blob["content"]).decode()]

tree = f"{here}/repository/tree"
seen["tree"] = [
    "pump.txt" in [each["name"] for each in project.repository_tree(ref="feature/pumps")],
    "pump.txt" in [each["name"] for each in client.http_list(tree, query_data={"ref_name": "feature/pumps"})],
]

project.branches.create({"branch": "done", "ref": "main"})
answered = client.http_delete(f"{here}/repository/merged_branches")
for _ in range(600):
    left = [each.name for each in project.branches.list()]
    if "done" not in left:
        break
    time.sleep(0.1)
project_removed = client.http_delete(f"/projects/{fork.id}")
seen["removals"] = [
    [answered.status_code, answered.json()],
    "done" in left,
    "main" in left,
    [project_removed.status_code, project_removed.json()],
]

print(json.dumps(seen))
