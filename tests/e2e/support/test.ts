import { test as base } from 'playwright/test';

/** Playwright's own test; whoever came to the browser for it leaves it afterwards, or the pages of a whole run stay open. */
export const test = base.extend<{ readonly guests: undefined }>({
  guests: [
    async ({ browser, context }, use) => {
      await use(undefined);
      const guests = browser.contexts().filter((other) => other !== context);
      await Promise.all(guests.map((guest) => guest.close()));
    },
    { auto: true },
  ],
});
