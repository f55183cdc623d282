"""What a person reads of code with python-gitlab, printed as one JSON object for the test that runs it."""

import base64
import io
import json
import sys
import tarfile
import zipfile

import gitlab

from refusals import refused

url, token, project_id, main, feature = sys.argv[1:6]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id, statistics=True)
seen["commit_count"] = project.statistics["commit_count"]
seen["default_branch"] = project.default_branch
seen["empty_repo"] = project.empty_repo
seen["languages"] = sorted(project.languages())

tree = project.repository_tree(recursive=True, all=True, per_page=3)
seen["tree"] = [item["path"] for item in tree]
seen["tree_by_token"] = [
    item["path"] for item in project.repository_tree(recursive=True, iterator=True, pagination="keyset", per_page=2)
]
blob_id = next(item["id"] for item in tree if item["path"] == "README.md")
blob = project.repository_blob(blob_id)
seen["blob"] = [blob["size"], base64.b64decode(blob["content"]).decode()]
seen["raw_blob"] = project.repository_raw_blob(blob_id).decode()

snapshots = [project.repository_archive(), project.repository_archive(sha="main")]
seen["same_archive"] = snapshots[0] == snapshots[1]
seen["tar"] = len(tarfile.open(fileobj=io.BytesIO(snapshots[0])).getnames())
for form in ("tbz", "tbz2", "tb2", "bz2", "tar", "tar.gz", "tar.bz2"):
    tarfile.open(fileobj=io.BytesIO(project.repository_archive(format=form))).getnames()
seen["zip"] = len(zipfile.ZipFile(io.BytesIO(project.repository_archive(format="zip"))).namelist())

compared = project.repository_compare("main", "feature/pumps")
seen["compare"] = [[each["title"] for each in compared["commits"]], [each["new_path"] for each in compared["diffs"]]]
seen["contributors"] = [[each["name"], each["commits"]] for each in project.repository_contributors()]
seen["merge_base"] = project.repository_merge_base(["main", "feature/pumps"])["title"]
seen["merge_base_refused"] = refused(lambda: project.repository_merge_base(["main"]))

file = project.files.get("src/mill.c", "main")
seen["file"] = [file.file_name, file.decode().decode(), file.last_commit_id == main]
seen["raw_file"] = project.files.raw("src/mill.c", "main").decode()
seen["blame"] = [each["lines"] for each in project.files.blame("src/mill.c", "main")]
seen["no_file"] = refused(lambda: project.files.get("none", "main"))

commits = project.commits.list(ref_name="main", all=True, per_page=2)
seen["commits"] = len(commits)
commit = project.commits.get(main)
seen["commit"] = [commit.title, commit.stats["total"]]
seen["diff"] = [each["new_path"] for each in project.commits.get(feature).diff()]
seen["refs"] = [f"{each['type']} {each['name']}" for each in project.commits.get(feature).refs()]
seen["hunk"] = "@@" in project.commits.get(feature).diff()[0]["diff"]
seen["merge_requests"] = commit.merge_requests()
seen["signature"] = refused(commit.signature)
seen["statuses"] = commit.statuses.list()
commit.comments.create({"note": "Well done"})
seen["comments"] = [each.note for each in commit.comments.list()]

branches = project.branches.list()
seen["branches"] = [[each.name, each.merged, each.protected, each.default, each.can_push] for each in branches]
seen["branch"] = project.branches.get("feature/pumps").commit["id"] == feature
seen["no_branch"] = refused(lambda: project.branches.get("none"))
seen["tags"] = [each.name for each in project.tags.list(order_by="name", sort="asc")]
seen["tag"] = project.tags.get("v1.0").message
print(json.dumps(seen))
