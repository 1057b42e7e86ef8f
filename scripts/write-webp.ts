import type { Browser } from 'playwright-core';

/** Compresses a PNG screenshot with the browser's WebP encoder, for the documentation in the repository. */
export async function writeWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const url = await page.evaluate(`fetch('data:image/png;base64,${png.toString('base64')}')
    .then((answer) => answer.blob())
    .then((blob) => createImageBitmap(blob))
    .then((picture) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [picture.width, picture.height];
      canvas.getContext('2d').drawImage(picture, 0, 0);
      return canvas.toDataURL('image/webp', ${QUALITY});
    })`);
  await page.close();
  return Buffer.from(String(url).split(',')[1] ?? '', 'base64');
}

/** With this quality, text is readable, and a screenshot of a page has less than 100 KB. */
const QUALITY = 0.9;
