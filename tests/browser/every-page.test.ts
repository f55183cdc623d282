import { describeEveryPage } from '../support/every-page.js';

// Everybody else, all pages of each kind and WCAG in every window are looked at by `make prove`.
describeEveryPage({
  viewers: ['root', 'visitor'],
  mostOfKind: 2,
  inTurn: true,
  looks: [
    { width: 1280, scheme: 'dark' },
    { width: 375, scheme: 'light' },
  ],
});
