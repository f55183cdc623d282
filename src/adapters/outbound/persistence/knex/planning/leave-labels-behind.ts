import type { Moved } from '../../../../../application/planning/ports/group-labels.js';
import type { Session } from '../session.js';
import { ABOVE_GROUP, ABOVE_PROJECT } from './hold-labels.js';

/** `leaving (id)`: rows of labels of groups that are not above their project any more. */
const OF_PROJECT = `with recursive ${ABOVE_PROJECT}, leaving (id) as (
  select labels.id from labels join group_labels on group_labels.id = labels.group_label_id
  where labels.project_id = ? and group_labels.group_id not in (select id from above))`;

const OF_GROUP = `with recursive ${ABOVE_GROUP}, inside (id) as (
  select id from namespaces where id = ? union all
  select namespaces.id from namespaces join inside on namespaces.parent_id = inside.id),
leaving (id) as (
  select labels.id from projects join labels on labels.project_id = projects.id
  join group_labels on group_labels.id = labels.group_label_id
  where projects.namespace_id in (select id from inside)
  and group_labels.group_id not in (select id from inside) and group_labels.group_id not in (select id from above))`;

/** Makes labels of groups, where these are not above the project any more, labels of the project itself: who follows them goes on. */
export const leaveLabelsBehind = async (session: Session, moved: Moved): Promise<void> => {
  const [leaving, id] = 'projectId' in moved ? [OF_PROJECT, moved.projectId] : [OF_GROUP, moved.groupId];
  await session.run(
    `${leaving} insert into label_subscriptions (label_id, user_id, created_at)
     select labels.id, group_label_subscriptions.user_id, group_label_subscriptions.created_at from labels
     join group_label_subscriptions on group_label_subscriptions.group_label_id = labels.group_label_id
     where labels.id in (select id from leaving) on conflict do nothing`,
    [id, id],
  );
  await session.run(`${leaving} update labels set group_label_id = null where id in (select id from leaving)`, [
    id,
    id,
  ]);
};
