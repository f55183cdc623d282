"""What a person does with python-gitlab, printed as one JSON object for the test that runs it."""

import datetime
import json
import sys

import gitlab

from refusals import refused

url, token, other_id, kind = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
seen = {}


def told(events):
    """What the entries about the busy project say."""
    return sorted(f"{each.action_name} {each.target_type}" for each in events if each.project_id == busy.id)


client = gitlab.Gitlab(url, **{kind: token})
client.auth()
seen["current_user"] = client.user.username
seen["version"] = client.version()[0]

seen["users"] = sorted(user.username for user in client.users.list(all=True, per_page=1))
created = client.users.create(
    {"email": "barbara@example.com", "username": "barbara", "name": "Barbara Liskov",
     "password": "substitution-principle", "skip_confirmation": True}
)
created.block()
seen["blocked"] = client.users.get(created.id).state
created.unblock()
seen["unblocked"] = client.users.get(created.id).state

group = client.groups.create({"name": "Python", "path": "python"})
child = client.groups.create({"name": "Core", "path": "core", "parent_id": group.id})
seen["group"] = client.groups.get("python/core").full_path

project = client.projects.create({"name": "Walk", "namespace_id": child.id, "visibility": "private"})
project.description = "by python"
project.save()
seen["project"] = client.projects.get("python/core/walk").description

member = project.members.create({"user_id": other_id, "access_level": gitlab.DEVELOPER_ACCESS})
seen["duplicate_member"] = refused(
    lambda: project.members.create({"user_id": other_id, "access_level": gitlab.DEVELOPER_ACCESS})
)
seen["bad_level"] = refused(lambda: project.members.create({"user_id": created.id, "access_level": 12}))
member.access_level = gitlab.MAINTAINER_ACCESS
member.save()
seen["member_level"] = project.members.get(other_id).access_level
member.delete()
seen["members"] = [each.id for each in project.members.list()]

milestone = project.milestones.create({"title": "1.0", "start_date": "2026-03-01", "due_date": "2026-03-31"})
project.milestones.create({"title": "2.0"})
seen["milestones"] = [each.title for each in project.milestones.list()]
seen["milestone_by_number"] = [each.title for each in project.milestones.list(iids=[milestone.iid])]
milestone.state_event = "close"
milestone.save()
seen["milestone"] = [milestone.state, project.milestones.get(milestone.id).due_date]
issue = project.issues.create({"title": "Write it down", "milestone_id": milestone.id})
project.issues.create({"title": "Some day"})
seen["planned"] = [each.title for each in project.issues.list(milestone="1.0")]
seen["issues_of_milestone"] = [each.iid for each in milestone.issues()]
seen["backwards"] = refused(
    lambda: project.milestones.create({"title": "x", "start_date": "2026-03-02", "due_date": "2026-03-01"})
)
milestone.delete()
seen["unplanned"] = project.issues.get(issue.iid).milestone

busy = client.projects.create({"name": "Busy", "visibility": "public"})
leak = busy.issues.create({"title": "Leak"})
leak.notes.create({"body": "Here, too"})
leak.state_event = "close"
leak.save()
busy.milestones.create({"title": "1.0"})
today = datetime.datetime.now(datetime.timezone.utc).date()
tomorrow = today + datetime.timedelta(days=1)
seen["events"] = {
    "mine": told(client.events.list(all=True)),
    "everybody": told(client.events.list(all=True, scope="all")),
    "of_user": told(client.users.get(client.user.id).events.list(all=True)),
    "of_project": told(busy.events.list()),
    "action": told(busy.events.list(action="commented")),
    "target_type": told(busy.events.list(target_type="milestone")),
    "before": told(busy.events.list(before=str(today))),
    "after": told(busy.events.list(after=str(today))),
    "together": told(busy.events.list(action="closed", target_type="issue", before=str(tomorrow))),
    "note": busy.events.list(action="commented")[0].note["body"],
    "title": busy.events.list(target_type="issue")[0].target_title,
    "bad_action": refused(lambda: busy.events.list(action="Closed")),
}
ascending = [each.id for each in busy.events.list(sort="asc", per_page=2, all=True)]
seen["events_walked"] = [
    len(ascending),
    ascending == [each.id for each in busy.events.list(as_list=False, per_page=2)][::-1],
    ascending == [each.id for each in busy.events.list(sort="asc", per_page=2, pagination="keyset", all=True)],
]

email = client.user.emails.create({"email": "second@example.com"})
seen["emails"] = sorted(each.email for each in client.user.emails.list())
client.user.emails.delete(email.id)

for number in range(7):
    client.projects.create({"name": f"Page {number}", "namespace_id": child.id})
pages = client.projects.list(as_list=False, per_page=3, search="page", order_by="id", sort="asc")
seen["total"] = pages.total
seen["walked"] = [each.name for each in pages]

with_sudo = client.http_get("/user", sudo=str(other_id))
seen["sudo"] = with_sudo["id"]

project.delete()
seen["removed"] = refused(lambda: client.projects.get(project.id))
seen["unauthenticated"] = refused(lambda: gitlab.Gitlab(url, private_token="wrong").auth())

print(json.dumps(seen))
