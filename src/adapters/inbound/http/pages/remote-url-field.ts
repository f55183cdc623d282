import type { Request } from 'express';
import { field } from './form-fields.js';

const BEFORE_HOST = /^([a-z]{1,10}:\/\/)/i;

/** The URL of a repository elsewhere with the user name and password that stand in fields of their own. */
export const remoteUrlIn = (request: Request, name = 'url'): string => {
  const url = field(request, name).trim();
  const [username, password] = [field(request, 'username').trim(), field(request, 'password')];
  if (username === '' && password === '') return url;
  const known = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  return shownRemoteUrl(url).replace(BEFORE_HOST, (scheme) => scheme + known);
};

/** The same without what nobody is to see who looks over a shoulder. */
export const shownRemoteUrl = (url: string): string => url.replace(/^([a-z]{1,10}:\/\/)[^/?#]*@/i, '$1');
