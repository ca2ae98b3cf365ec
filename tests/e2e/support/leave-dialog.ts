import { expect, type Locator } from 'playwright/test';

/** Presses a button that closes its dialog: on a busy machine it may still be growing, and the click goes beside it. */
export async function leaveDialog(dialog: Locator, button: RegExp): Promise<void> {
  await expect(async () => {
    if (await dialog.isVisible())
      await dialog.getByRole('button', { name: button }).click({ timeout: 5_000 });
    await dialog.waitFor({ state: 'detached', timeout: 5_000 });
  }).toPass();
}
