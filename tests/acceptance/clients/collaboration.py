"""What people do around a change by python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

from refusals import refused

url, token, project_id, other_id = sys.argv[1:5]
client = gitlab.Gitlab(url, private_token=token)
client.auth()
project, other = client.projects.get(project_id), client.projects.get(other_id)
issue = project.issues.create({"title": "Leak"})
request = project.mergerequests.list()[0]
snippet = project.snippets.create(
    {"title": "Kept", "file_name": "a.py", "content": "one", "visibility": "public"}
)
label = project.labels.create({"name": "bug", "color": "#FF0000"})
milestone = project.milestones.create({"title": "First"})
seen = {}


def talk(subject):
    """Comments, a discussion, and emoji."""
    note = subject.notes.create({"body": "Alone"})
    note.body = "Changed"
    note.save()
    found = [subject.notes.get(note.id).body, [each.id for each in subject.notes.list()] == [note.id]]
    emoji = note.awardemojis.create({"name": "tada"})
    found.append([each.name for each in note.awardemojis.list()] + [note.awardemojis.get(emoji.id).name])
    note.awardemojis.delete(emoji.id)
    note.delete()
    discussion = subject.discussions.create({"body": "Why?"})
    found.append(discussion.id in [each.id for each in subject.discussions.list()])
    answer = discussion.notes.create({"body": "Because"})
    answer = discussion.notes.get(answer.id)
    answer.body = "Because!"
    answer.save()
    found.append(subject.discussions.get(discussion.id).attributes["notes"][-1]["body"])
    answer.delete()
    found.append(len(subject.discussions.get(discussion.id).attributes["notes"]))
    award = subject.awardemojis.create({"name": "thumbsup"})
    found.append([subject.awardemojis.get(award.id).name, len(subject.awardemojis.list())])
    subject.awardemojis.delete(award.id)
    found.append(len(subject.awardemojis.list()))
    return found


def track(subject):
    """How long it takes. An object keeps the time that it was read with."""
    subject.time_estimate("3h30m")
    subject.add_spent_time("2h")
    stats = subject.manager.get(subject.iid).time_stats()
    found = [stats["human_time_estimate"], stats["human_total_time_spent"]]
    subject.reset_time_estimate()
    subject.reset_spent_time()
    return found + [subject.manager.get(subject.iid).time_stats()["total_time_spent"]]


def plan(subject):
    """Labels, a milestone and states, and what is kept of them."""
    subject.labels = [label.name]
    subject.milestone_id = milestone.id
    subject.save()
    subject.state_event = "close"
    subject.save()
    subject.state_event = "reopen"
    subject.save()
    events = [subject.resourcelabelevents, subject.resourcemilestoneevents, subject.resourcestateevents]
    return [[event.get(each.id).id == each.id for each in event.list()] for event in events]


seen["talked"] = [talk(subject) for subject in (issue, request, snippet)]
seen["tracked"] = [track(subject) for subject in (issue, request)]
seen["planned"] = [plan(subject) for subject in (issue, request)]

issue.todo()
todo = client.todos.list(state="pending")[0]
seen["asked"] = [todo.action_name, todo.target_type, todo.target["iid"] == issue.iid]
todo.mark_as_done()
seen["done"] = len(client.todos.list(state="pending"))
request.todo()
client.todos.mark_all_as_done()
seen["all_done"] = len(client.todos.list(state="pending"))

issue.unsubscribe()
seen["subscribed"] = project.issues.get(issue.iid).subscribed
issue.subscribe()

note = issue.notes.create({"body": "Enough.\n/close\n/unlabel"})
closed = project.issues.get(issue.iid)
seen["acted"] = [note.body, closed.state, closed.labels]
told = issue.notes.create({"body": "/reopen"})
seen["told"] = [told.summary, told.commands_changes]
seen["refused"] = refused(lambda: issue.notes.create({"body": "/reopen"}))

issue.move(other.id)
moved = other.issues.list()[0]
seen["moved"] = [moved.title, project.issues.get(issue.iid).moved_to_id == moved.id, issue.project_id == other.id]
seen["moved_twice"] = refused(lambda: project.issues.get(1).move(other.id))
print(json.dumps(seen))
