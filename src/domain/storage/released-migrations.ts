/** The whole schema of the first release, in one migration. */
const BASELINE = '20261126000000_create_baseline';

/** What it was made of before that release, as databases and archives of development versions name it. */
export const REPLACED_MIGRATIONS: readonly string[] = [
  '20261121000100_create_identity',
  '20261121000200_create_workspace',
  '20261121000300_create_oauth_applications',
  '20261121000400_create_jobs_and_mail',
  '20261121000500_create_signing_keys',
  '20261121000600_create_oauth_tokens',
  '20261121000700_create_planning',
  '20261121000800_create_alerts',
  '20261121000900_create_milestones',
  '20261121001000_create_notifications',
  '20261121001100_create_activity',
  '20261121001200_create_error_tracking',
  '20261121001300_index_activity_by_author_and_kind',
  '20261121001400_index_activity_by_action_and_type',
  '20261122010001_add_recovery_addresses',
  '20261122010002_create_security_events',
  '20261122020001_narrow_visibility_below_groups',
  '20261122020002_keep_lasting_owners',
  '20261122030001_index_listed_issues_and_notes',
  '20261122100001_create_repositories',
  '20261122110001_create_secret_key_sentinels',
  '20261122120001_index_open_alerts_without_fingerprint',
  '20261122140001_create_subjects',
  '20261122140002_create_discussions_and_awards',
  '20261122140003_create_todos_and_time_tracking',
  '20261122140004_create_resource_events',
  '20261122150001_create_merge_requests',
  '20261122150002_add_discussion_rule',
  '20261122170001_create_audit_entries',
  '20261122170002_create_invitations',
  '20261122170003_add_devices_and_bios',
  '20261122200001_create_commit_comments',
  '20261122200101_create_snippets',
  '20261122200102_create_issue_links',
  '20261122210001_create_code_works',
  '20261122210002_create_releases',
  '20261122220001_create_keys',
  '20261122220002_create_ssh_host_keys',
  '20261122230001_add_stars_and_forks',
  '20261122230002_share_objects_of_forks',
  '20261122230003_create_webhooks',
  '20261122350001_create_storage_control',
  '20261122350002_follow_changes_while_moving',
  '20261123180001_keep_house_of_stores',
  '20261123180002_note_checks_of_repositories',
  '20261124100001_create_discussion_positions_and_suggestions',
  '20261124200001_add_moves_and_locks_to_issues',
  '20261124200002_make_snippets_subjects',
  '20261124300001_index_lists_of_merge_requests',
  '20261124300002_add_squash_option',
  '20261124300003_let_versions_come_again',
  '20261124500001_add_time_zones',
  '20261124700001_tell_how_far_a_move_is',
  '20261125200001_make_commits_subjects',
  '20261125500001_keep_receipts_of_moves',
  '20261125700001_close_entries_of_code',
];

/**
 * Names of migrations, sorted, as releases know them: the baseline in place of what it replaced.
 *
 * @throws Error with a sentence where only a part of that was applied.
 */
export const releasedMigrations = (names: readonly string[]): readonly string[] => {
  const applied = new Set(names);
  const missing = REPLACED_MIGRATIONS.filter((name) => !applied.has(name));
  if (missing.length === REPLACED_MIGRATIONS.length) return names;
  if (missing.length > 0)
    throw new Error(
      `This was made by a development version before 0.2.0, which lacks ${missing.join(', ')}. Start or restore it with the last commit that has migrations/${REPLACED_MIGRATIONS.at(-1)}.js, and update then.`,
    );
  const replaced = new Set(REPLACED_MIGRATIONS);
  return [BASELINE, ...names.filter((name) => !replaced.has(name))];
};
