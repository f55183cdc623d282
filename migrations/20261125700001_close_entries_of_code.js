// Entries about the code of private projects go to the feed that reporters read: what was pushed, merge requests, and what was said of
// them and of commits. A feed is twice the id of its project, and one more for the second.
const PUSHED = 6;
const MERGE_REQUEST = 3;
const NOTE = 4;

const OF_CODE = `(action = ${PUSHED} or target_type = ${MERGE_REQUEST} or (target_type = ${NOTE}
  and (details like '{"comment":{"noteableType":"MergeRequest"%' or details like '{"comment":{"noteableType":"Commit"%')))`;

export const up = async (knex) => {
  await knex.raw(`insert into confidential_feeds (feed) select id * 2 + 1 from projects where visibility = 'private'
    and exists (select 1 from activity_events where feed = projects.id * 2 and ${OF_CODE}) on conflict (feed) do nothing`);
  await knex.raw(`update activity_events set feed = feed + 1
    where feed in (select id * 2 from projects where visibility = 'private') and ${OF_CODE}`);
};

export const down = (knex) => knex.raw(`update activity_events set feed = feed - 1 where feed % 2 = 1 and ${OF_CODE}`);
