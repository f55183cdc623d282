/**
 * Every act that decides who gets into an account: what the page says that asks for the password before it, and what the owner is
 * told after it. A form of such an act is declared with its name (`Pages.postSensitive`).
 */
export const SENSITIVE_ACTS = {
  change_password: { asks: 'change your password', told: 'The password was changed' },
  turn_on_two_factor: {
    asks: 'set up two-factor authentication',
    told: 'Two-factor authentication was turned on',
  },
  replace_two_factor: { asks: 'replace your authenticator', told: 'The authenticator was replaced' },
  turn_off_two_factor: {
    asks: 'turn off two-factor authentication',
    told: 'Two-factor authentication was turned off',
  },
  renew_recovery_codes: { asks: 'make new recovery codes', told: 'New recovery codes were made' },
  add_email: { asks: 'add an e-mail address', told: 'An e-mail address was added' },
  remove_email: { asks: 'remove an e-mail address', told: 'An e-mail address was removed' },
  change_primary_email: {
    asks: 'change your primary e-mail address',
    told: 'The primary e-mail address was changed',
  },
  use_email_for_recovery: {
    asks: 'use an e-mail address for password resets',
    told: 'An e-mail address was allowed for password resets',
  },
  add_ssh_key: { asks: 'add an SSH key', told: 'An SSH key was added' },
  make_token: { asks: 'make a personal access token', told: 'A personal access token was made' },
  rotate_token: { asks: 'rotate a personal access token', told: 'A personal access token was rotated' },
} as const;

export type SensitiveAct = keyof typeof SENSITIVE_ACTS;

/** By what an act was done. */
export type ActMeans =
  'browser' | 'mailed_link' | 'personal_access_token' | 'application' | 'administrator' | 'operator';

const MINUTE_MS = 60_000;

/** How long a proof of who somebody is lasts for sensitive acts. */
export const PROOF_LASTS_MINUTES = 10;

export const isRecentProof = (provedAt: Date, now: Date): boolean =>
  now.getTime() - provedAt.getTime() <= PROOF_LASTS_MINUTES * MINUTE_MS;
