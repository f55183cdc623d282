import type { Response } from 'express';
import helmet from 'helmet';

/** Nothing is loaded from elsewhere, nothing runs, nobody frames the page, and no address is passed on. */
export const pageSecurity = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  // Whether every name below the host is served by https is for whoever owns it to say.
  strictTransportSecurity: false,
});

const CSP = 'Content-Security-Policy';

/**
 * Lets the forms of this one answer lead to an application: browsers hold `form-action` against the redirect that follows, too.
 *
 * @param redirectUri a registered one.
 */
export const allowFormTarget = (response: Response, redirectUri: string): void => {
  const { origin, protocol, hostname } = new URL(redirectUri);
  // Private-use schemes have no origin, and the policy has no way to write an IPv6 address.
  const target = origin === 'null' || hostname.startsWith('[') ? protocol : origin;
  response.setHeader(
    CSP,
    String(response.getHeader(CSP)).replace("form-action 'self'", `form-action 'self' ${target}`),
  );
};

/** Lets this one answer keep itself up to date: by a script of ours, which asks nobody but this service. */
export const allowLiveScript = (response: Response): void => {
  response.setHeader(CSP, `${String(response.getHeader(CSP))};script-src 'self';connect-src 'self'`);
};
