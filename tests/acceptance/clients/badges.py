"""Badges of projects and groups, by stock python-gitlab. Prints what it saw as JSON."""

import json
import sys

import gitlab

LINK = "https://ci.example/%{project_path}"

gl = gitlab.Gitlab(sys.argv[1], private_token=sys.argv[2])
group = gl.groups.create({"name": "Works", "path": "works"})
project = gl.projects.create({"name": "Engine", "namespace_id": group.id})


def reach(place):
    """What a manager of badges sees of one, from its beginning to its end."""
    badge = place.badges.create({"name": "State", "link_url": LINK, "image_url": "https://ci.example/a.svg"})
    badge.image_url = "https://ci.example/b.svg"
    badge.save()
    shown = place.badges.get(badge.id)
    preview = place.badges.render(LINK, "https://ci.example/a.svg")
    badge.delete()
    return [shown.name, shown.rendered_link_url, shown.image_url, preview["rendered_link_url"], len(place.badges.list(get_all=True))]


found = {"project": reach(project), "group": reach(group)}
for place in (group, project):
    place.badges.create({"link_url": LINK, "image_url": "https://ci.example/a.svg"})
found["kinds"] = [badge.kind for badge in project.badges.list(get_all=True)]
print(json.dumps(found))
