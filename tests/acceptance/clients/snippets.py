"""What a person does with snippets by python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

from refusals import refused

url, token = sys.argv[1:3]
client = gitlab.Gitlab(url, private_token=token)
seen = {}

files = [{"file_path": "a.txt", "content": "one"}, {"file_path": "b.txt", "content": "two"}]
snippet = client.snippets.create({"title": "Notes", "file_name": "a.txt", "content": "one"})
client.snippets.update(snippet.id, {"files": [{"action": "create", **files[1]}]})
snippet = client.snippets.get(snippet.id)
seen["made"] = [snippet.visibility, [file["path"] for file in snippet.files]]
# A list that was looked at would be sent with the next change.
snippet = client.snippets.get(snippet.id)
seen["content"] = snippet.content().decode()
snippet.title = "Renamed"
snippet.save()
seen["renamed"] = [client.snippets.get(snippet.id).title, snippet.content().decode()]
one = client.snippets.create({"title": "One", "file_name": "a.txt", "content": "one", "visibility": "private"})
one.file_name = "c.txt"
one.save()
seen["moved"] = [client.snippets.get(one.id).file_name, one.content().decode()]
seen["listed"] = snippet.id in [each.id for each in client.snippets.list(all=True)]
seen["public"] = [each.id for each in client.snippets.public() if each.id in (snippet.id, one.id)]
snippet.delete()
seen["removed"] = refused(lambda: client.snippets.get(snippet.id))

project = client.projects.create({"name": "Snippet mill"})
kept = project.snippets.create(
    {"title": "Kept", "file_name": "a.py", "content": "two", "visibility": "private"}
)
seen["project"] = [kept.visibility, kept.content().decode()]
project.snippets.update(kept.id, {"title": "Changed", "content": "three"})
again = project.snippets.get(kept.id)
seen["project_changed"] = [again.title, again.content().decode()]
seen["project_listed"] = kept.id in [each.id for each in project.snippets.list()]
again.delete()
seen["project_removed"] = refused(lambda: project.snippets.get(kept.id))
print(json.dumps(seen))
