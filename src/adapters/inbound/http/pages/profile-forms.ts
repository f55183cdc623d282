import type { SensitiveAct } from '../../../../domain/identity/sensitive-act.js';

/** A form that asks for the password, and the second factor where it is on, when the last proof is too old. */
export interface SensitiveForm {
  readonly act: SensitiveAct | { readonly asks: string };
  /** However recent the last proof is. */
  readonly always?: true;
}

/** A form that a session alone may send, and why. */
export interface OrdinaryForm {
  readonly ordinary: string;
}

const SUBSCRIPTIONS = 'chooses among confirmed addresses what is mailed there';
const LESS_ACCESS = 'takes access away';
const BEFORE_CONSENT = 'an application can do nothing before somebody consents';

/** Every form of a profile. */
export const PROFILE_FORMS = {
  '/profile': { ordinary: 'decides how a person is shown, not who gets in' },
  '/profile/sessions/revoke_others': { ordinary: LESS_ACCESS },
  '/profile/sessions/:id/revoke': { ordinary: LESS_ACCESS },
  '/profile/account/password': { act: 'change_password', always: true },
  '/profile/account/two_factor': { act: 'turn_on_two_factor' },
  '/profile/account/two_factor/disable': { act: 'turn_off_two_factor', always: true },
  '/profile/account/recovery_codes': { act: 'renew_recovery_codes' },
  '/profile/emails': { act: 'add_email' },
  '/profile/emails/:id/primary': { act: 'change_primary_email' },
  '/profile/emails/:id/recovery': { act: 'use_email_for_recovery' },
  '/profile/emails/:id/remove': { act: 'remove_email' },
  '/profile/personal_access_tokens': { act: 'make_token' },
  '/profile/personal_access_tokens/:id/rotate': { act: 'rotate_token' },
  '/profile/personal_access_tokens/:id/revoke': { ordinary: LESS_ACCESS },
  '/profile/keys': { act: 'add_ssh_key' },
  '/profile/keys/:id/remove': { ordinary: LESS_ACCESS },
  '/profile/notifications': { ordinary: SUBSCRIPTIONS },
  '/profile/notifications/places': { ordinary: SUBSCRIPTIONS },
  '/profile/notifications/groups/*path': { ordinary: SUBSCRIPTIONS },
  '/profile/notifications/projects/*path': { ordinary: SUBSCRIPTIONS },
  '/profile/applications': { ordinary: BEFORE_CONSENT },
  '/profile/applications/:id': { ordinary: BEFORE_CONSENT },
  '/profile/applications/:id/renew_secret': { ordinary: BEFORE_CONSENT },
  '/profile/applications/:id/remove': { ordinary: LESS_ACCESS },
  '/profile/authorized_applications/:id/revoke': { ordinary: LESS_ACCESS },
} as const satisfies Readonly<Record<string, SensitiveForm | OrdinaryForm>>;
