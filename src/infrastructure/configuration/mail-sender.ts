export interface MailSender {
  readonly name: string;
  readonly address: string;
  /** After the `@`. */
  readonly domain: string;
}

/** `MAIL_FROM` is an address, or a name with one in angle brackets. */
export const readMailSender = (mailFrom: string): MailSender => {
  const [, name = '', address = mailFrom] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(mailFrom) ?? [];
  return {
    name: name === '' ? 'Gatehouse' : name,
    address: address.trim(),
    domain: address.trim().split('@').at(-1) ?? 'localhost',
  };
};
