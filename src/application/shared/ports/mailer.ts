export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A mail as it goes out. Nothing in it may end a header line. */
export interface OutgoingMail {
  /** The same whenever the same mail is sent again. */
  readonly messageId: string;
  /** The mail that this one answers, if only in the reader's list. */
  readonly inReplyTo?: string;
  readonly fromName?: string;
  readonly to: MailAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type SendOutcome =
  | { readonly outcome: 'sent' }
  /** For good: this address or this mail is not taken. */
  | { readonly outcome: 'refused'; readonly problem: string }
  /** For now; a later attempt may succeed. */
  | { readonly outcome: 'postponed'; readonly problem: string };

export interface Mailer {
  send(mail: OutgoingMail): Promise<SendOutcome>;
}

/** Fills the two forms of a mail. */
export interface MailRenderer {
  render(template: string, data: object): { readonly text: string; readonly html: string };
}
