import { usernameKey, type User } from './user.js';

/** The account that opens and closes the incidents of alerts. Its name is reserved: no person can take it. */
export const ALERT_BOT = 'alert-bot';

const SERVICE_ACCOUNTS: ReadonlySet<string> = new Set([ALERT_BOT]);

/** An account that the service acts as. Nodes remember its id, so it stays what it is for as long as the installation lives. */
export const isServiceAccount = ({ username }: Pick<User, 'username'>): boolean =>
  SERVICE_ACCOUNTS.has(usernameKey(username));

/** Whether no person is behind an account: nobody signs in to it, is mailed there, or may be given it. */
export const hasNobody = (user: Pick<User, 'username' | 'bot'>): boolean => isServiceAccount(user) || user.bot !== null;
