"""What a person does about their notifications with python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

from refusals import refused

url, token = sys.argv[1], sys.argv[2]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
setting = client.notificationsettings.get()
seen["global"] = [setting.level, setting.notification_email]
setting.level = gitlab.const.NotificationLevel.WATCH
setting.save()
seen["saved"] = client.notificationsettings.get().level
seen["bad_level"] = refused(lambda: client.notificationsettings.update(new_data={"level": "explosive"}))
seen["not_owned"] = refused(
    lambda: client.notificationsettings.update(new_data={"notification_email": "grace@example.com"})
)

group = client.groups.create({"name": "Python", "path": "python"})
setting = group.notificationsettings.get()
before = setting.level
setting.level = gitlab.const.NotificationLevel.MENTION
setting.save()
seen["group"] = [before, group.notificationsettings.get().level]

project = client.projects.create({"name": "Cogs"})
project.notificationsettings.update(new_data={"level": "custom", "new_note": True})
setting = project.notificationsettings.get()
seen["project"] = [setting.level, setting.events["new_note"], setting.events["new_issue"]]
seen["events"] = len(setting.events)
seen["hidden"] = refused(lambda: client.projects.get(99999, lazy=True).notificationsettings.get())

issue = project.issues.create({"title": "Cogs jam"})
seen["subscribed"] = [project.issues.get(issue.iid).subscribed]
issue.unsubscribe()
seen["subscribed"].append(project.issues.get(issue.iid).subscribed)
issue.subscribe()
seen["subscribed"].append(project.issues.get(issue.iid).subscribed)

project.transfer("python")
seen["moved"] = client.projects.get(project.id).path_with_namespace

print(json.dumps(seen))
