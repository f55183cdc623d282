"""What python-gitlab says of lines of a merge request and of a commit, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

url, token, project_id, iid, sha, line = sys.argv[1:7]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
request, commit = project.mergerequests.get(iid), project.commits.get(sha)
position = {**request.diff_refs, **json.loads(line), "position_type": "text"}
seen = {}


def talk(subject):
    """A discussion of a line, as python-gitlab's own functional tests have one of each subject."""
    begun = subject.discussions.create({"body": "Why?", "position": position})
    first = begun.attributes["notes"][0]
    found = [[first["type"], first["position"]["new_line"]]]
    found.append(begun.id in [each.id for each in subject.discussions.list()])
    discussion = subject.discussions.get(begun.id)
    answer = discussion.notes.get(discussion.notes.create({"body": "Because"}).id)
    answer.body = "Because!"
    answer.save()
    found.append(subject.discussions.get(begun.id).attributes["notes"][-1]["body"])
    answer.delete()
    found.append(len(subject.discussions.get(begun.id).attributes["notes"]))
    return begun.id, found


begun, seen["request"] = talk(request)
seen["resolved"] = []
for resolved in (True, False):
    discussion = request.discussions.get(begun)
    discussion.resolved = resolved
    discussion.save()
    seen["resolved"].append(request.discussions.get(begun).attributes["notes"][0]["resolved"])

_, seen["commit"] = talk(commit)
alone = commit.discussions.create({"body": "Hm"})
first = commit.discussions.get(alone.id).attributes["notes"][0]
seen["commit_alone"] = [first["type"], first["body"]]
print(json.dumps(seen))
