"""Takes a change from branch to merge by python-gitlab, as its own functional tests do."""

import json
import sys

import gitlab

url, token, reviewer_token, project_id, fork_id = sys.argv[1:6]
gl = gitlab.Gitlab(url, private_token=token)
reviewer = gitlab.Gitlab(url, private_token=reviewer_token)
project = gl.projects.get(project_id)


def branch(name, path):
    project.branches.create({"branch": name, "ref": "main"})
    project.files.create(
        {"file_path": path, "branch": name, "content": "Initial content", "commit_message": f"New {path}"}
    )


branch("one", "one.txt")
mr = project.mergerequests.create({"source_branch": "one", "target_branch": "main", "title": "One", "labels": ["a", "b"]})
told = {
    "state": mr.state,
    "labels": sorted(mr.labels),
    "listed": [each.iid for each in project.mergerequests.list(iids=[mr.iid])],
    "by_label": [each.iid for each in project.mergerequests.list(labels=["a", "b"])],
    "all": len(gl.mergerequests.list(scope="all")),
}
mr.title = "Draft: One"
mr.save()
told["draft"] = project.mergerequests.get(mr.iid).draft
mr.title = "One"
mr.save()

note = mr.notes.create({"body": "Look"})
told["note"] = mr.notes.get(note.id).body
told["commits"] = [each.title for each in mr.commits()]
told["changes"] = [each["new_path"] for each in mr.changes()["changes"]]
told["diffs"] = len(mr.diffs.list())
told["diff"] = mr.diffs.get(mr.diffs.list()[0].id).commits[0]["title"]
told["participants"] = [each["username"] for each in mr.participants()]
told["closes"] = [each.iid for each in mr.closes_issues()]
told["subscribed"] = project.mergerequests.get(mr.iid).subscribed

theirs = reviewer.projects.get(project_id).mergerequests.get(mr.iid)
theirs.approve()
told["approved_by"] = [each["user"]["username"] for each in mr.approvals.get().approved_by]
theirs.unapprove()
told["left"] = mr.approvals.get().approved_by
told["ref"] = len(mr.merge_ref()["commit_id"]) == 40
try:
    mr.reset_approvals()
    told["reset"] = "done"
except gitlab.exceptions.GitlabError as error:
    told["reset"] = error.response_code
told["state_of_rules"] = [each["rule_type"] for each in mr.approval_state.get().rules]
told["rules"] = [each.rule_type for each in mr.approval_rules.list()]
settings = project.approvals.get()
settings.approvals_before_merge = 1
settings.save()
told["required"] = [project.approvals.get().approvals_before_merge]
settings.approvals_before_merge = 0
settings.save()
told["required"].append(project.approvals.get().approvals_before_merge)
told["cancelled"] = isinstance(mr.cancel_merge_when_pipeline_succeeds(), dict)
told["rebase"] = bool(mr.rebase())

mr.merge(should_remove_source_branch=True, merge_commit_message="x" * 11000)
told["merged"] = project.mergerequests.get(mr.iid).state
try:
    mr.merge()
    told["again"] = "merged twice"
except gitlab.exceptions.GitlabMRClosedError as error:
    told["again"] = error.response_code
try:
    project.branches.get("one")
    told["branch"] = "there"
except gitlab.exceptions.GitlabGetError as error:
    told["branch"] = error.response_code

fork = reviewer.projects.get(fork_id)
fork.branches.create({"branch": "two", "ref": "main"})
fork.files.create({"file_path": "two.txt", "branch": "two", "content": "Two", "commit_message": "Two"})
across = fork.mergerequests.create(
    {"source_branch": "two", "target_branch": "main", "title": "Two", "target_project_id": project.id}
)
told["across"] = [across.source_project_id == fork.id, across.target_project_id == project.id]
found = project.mergerequests.get(across.iid)
found.state_event = "close"
found.save()
told["closed"] = project.mergerequests.get(across.iid).state
found.delete()
told["rest"] = [each.iid for each in project.mergerequests.list()]
print(json.dumps(told))
