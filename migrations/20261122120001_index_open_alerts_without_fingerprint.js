/** Open alerts that are grouped with nothing are counted for the metrics: `alerts_one_open` has only those with a fingerprint. */
export const up = (knex) =>
  knex.raw(
    "create index alerts_open_without_fingerprint on alerts (id) where status <> 'resolved' and fingerprint is null",
  );

export const down = (knex) => knex.raw('drop index alerts_open_without_fingerprint');
