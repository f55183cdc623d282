/** What the audit log keeps, by area: what the list is filtered by, and the words it is told in. */
export const AUDIT_AREAS = {
  sign_in: {
    words: 'Sign-in and sessions',
    kinds: {
      signed_in: 'Signed in',
      sign_in_failed: 'A wrong password or code was given',
      unknown_sign_in_failed: 'Somebody tried to sign in to an account that doesn’t exist',
      session_revoked: 'A session was revoked',
      sessions_revoked: 'All other sessions of an account were ended',
    },
  },
  account: {
    words: 'Accounts',
    kinds: {
      account_created: 'An account was created',
      account_renamed: 'An account was renamed',
      account_removed: 'An account was removed',
      account_blocked: 'An account was blocked',
      account_unblocked: 'An account was unblocked',
      account_promoted: 'An account became an administrator',
      account_demoted: 'An account is no longer an administrator',
      password_link_sent: 'A link to set a new password was mailed',
      change_password: 'A password was changed',
      turn_on_two_factor: 'Two-factor authentication was turned on',
      replace_two_factor: 'An authenticator was replaced',
      turn_off_two_factor: 'Two-factor authentication was turned off',
      renew_recovery_codes: 'New recovery codes were made',
      add_email: 'An e-mail address was added',
      remove_email: 'An e-mail address was removed',
      change_primary_email: 'A primary e-mail address was changed',
      use_email_for_recovery: 'An e-mail address was allowed for password resets',
    },
  },
  access: {
    words: 'Tokens, applications and keys',
    kinds: {
      make_token: 'A personal access token was made',
      access_token_made: 'An access token of a project or group was made',
      rotate_token: 'A personal access token was rotated',
      token_revoked: 'A personal access token was revoked',
      tokens_revoked: 'All personal access tokens of an account were revoked',
      add_ssh_key: 'An SSH key was added',
      ssh_key_removed: 'An SSH key was removed',
      deploy_key_added: 'A deploy key was added',
      deploy_key_changed: 'A deploy key was changed',
      deploy_key_enabled: 'A deploy key was enabled',
      deploy_key_disabled: 'A deploy key was disabled',
      deploy_key_removed: 'A deploy key was removed',
      deploy_token_made: 'A deploy token was made',
      deploy_token_removed: 'A deploy token was removed',
      application_registered: 'An application was registered',
      application_changed: 'An application was changed',
      application_secret_renewed: 'The secret of an application was renewed',
      application_removed: 'An application was removed',
      access_granted: 'An application was given access',
      access_revoked: 'The access of an application was revoked',
    },
  },
  members: {
    words: 'Members',
    kinds: {
      member_invited: 'Somebody was invited by mail',
      invitation_changed: 'An invitation was changed',
      invitation_withdrawn: 'An invitation was withdrawn',
      access_requested: 'Somebody asked for access',
      access_request_withdrawn: 'A request for access was withdrawn',
      access_request_denied: 'A request for access was denied',
      member_added: 'A member was added',
      member_changed: 'The role of a member was changed',
      member_removed: 'A member was removed',
      member_expired: 'A membership expired',
    },
  },
  places: {
    words: 'Projects and groups',
    kinds: {
      project_created: 'A project was created',
      project_moved: 'A project was renamed or transferred',
      project_archived: 'A project was archived',
      project_unarchived: 'A project was unarchived',
      project_removed: 'A project was removed',
      project_shared: 'A project was shared with a group',
      project_unshared: 'A project was no longer shared with a group',
      project_share_expired: 'Sharing a project with a group expired',
      group_created: 'A group was created',
      group_moved: 'A group was renamed or transferred',
      group_removed: 'A group was removed',
      visibility_changed: 'The visibility was changed',
    },
  },
  integrations: {
    words: 'Webhooks, mirrors and integrations',
    kinds: {
      webhook_added: 'A webhook was added',
      webhook_changed: 'A webhook was changed',
      webhook_removed: 'A webhook was removed',
      mirror_added: 'A mirror was added',
      mirror_changed: 'A mirror was changed',
      mirror_removed: 'A mirror was removed',
      alert_integration_added: 'An alert integration was added',
      alert_integration_changed: 'An alert integration was changed',
      alert_key_reset: 'The key of an alert integration was reset',
      alert_integration_removed: 'An alert integration was removed',
      error_tracking_changed: 'Error tracking was set up or changed',
    },
  },
  ci: {
    words: 'CI/CD',
    kinds: {
      ci_variable_added: 'A CI variable was added',
      ci_variable_changed: 'A CI variable was changed',
      ci_variable_removed: 'A CI variable was removed',
      runner_made: 'A runner was made',
      runner_changed: 'A runner was changed',
      runner_token_reset: 'The token of a runner was reset',
      runner_enabled: 'A runner was enabled for a project',
      runner_disabled: 'A runner was disabled for a project',
      runner_removed: 'A runner was removed',
      pipeline_trigger_made: 'A pipeline trigger was made',
      pipeline_trigger_changed: 'A pipeline trigger was changed',
      pipeline_trigger_removed: 'A pipeline trigger was removed',
      pipeline_starter_let_in: 'Jobs of another project were allowed to start pipelines',
      pipeline_starter_shut_out: 'Jobs of another project were no longer allowed to start pipelines',
      pipeline_schedule_made: 'A pipeline schedule was made',
      pipeline_schedule_changed: 'A pipeline schedule was changed',
      pipeline_schedule_taken_over: 'A pipeline schedule was taken over',
      pipeline_schedule_removed: 'A pipeline schedule was removed',
    },
  },
  administration: {
    words: 'Administration',
    kinds: {
      sudo_used: 'An administrator acted as somebody else',
      mail_sent_again: 'A mail was put in the queue again',
      audit_log_exported: 'The audit log was exported',
    },
  },
} as const;

type Areas = typeof AUDIT_AREAS;
export type AuditArea = keyof Areas;
export type AuditKind = { [Area in AuditArea]: keyof Areas[Area]['kinds'] }[AuditArea];

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.values(AUDIT_AREAS).flatMap(({ kinds }) => Object.entries<string>(kinds)),
);

export const describeAuditKind = (kind: AuditKind): string => WORDS.get(kind) ?? kind;

export const isAuditKind = (word: string): word is AuditKind => WORDS.has(word);
export const isAuditArea = (word: string): word is AuditArea => Object.hasOwn(AUDIT_AREAS, word);

/** The kinds of an area. */
export const kindsOf = (area: AuditArea): readonly AuditKind[] =>
  Object.keys(AUDIT_AREAS[area].kinds) as readonly AuditKind[];

/** What happens over and over is one entry an hour with a count: whoever tries passwords must not fill the table. */
export const COUNTED_KINDS: ReadonlySet<AuditKind> = new Set<AuditKind>([
  'access_requested',
  'access_request_withdrawn',
  'signed_in',
  'sign_in_failed',
  'unknown_sign_in_failed',
  'access_granted',
  'sudo_used',
  'audit_log_exported',
]);
