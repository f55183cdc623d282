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
