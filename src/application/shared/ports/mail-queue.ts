/** With a link that proves who reads an address. */
export type LinkTemplate = 'confirm_email' | 'reset_password';

/** To an address that need not belong to anybody yet. */
export type StrangerTemplate = 'invitation' | 'sign_up' | 'already_signed_up';

/** About a request for access to a project or group. */
export type AccessTemplate = 'access_requested' | 'access_granted' | 'access_denied';

export type MailTemplate = LinkTemplate | StrangerTemplate | AccessTemplate | 'security_notice';

export interface QueuedMail {
  readonly recipient: string;
  readonly template: MailTemplate;
  /** What the template needs; may hold a secret link, so it is stored sealed. */
  readonly content: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  /** When it is of no use any more. */
  readonly expiresAt: Date;
}

/** Mail that leaves after the transaction that caused it has committed. */
export interface MailQueue {
  enqueue(mail: QueuedMail): Promise<void>;
}
