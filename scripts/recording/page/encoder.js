// Runs in a page of its own: encodes pictures by the codecs of the browser.
(() => {
  const frames = [];
  let encoder;
  let size;

  const bitmapOf = (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.codePointAt(0));
    return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  };

  const draw = (bitmap) => {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d', { willReadFrequently: true }).drawImage(bitmap, 0, 0);
    return canvas;
  };

  /**
   * A picture as players take it for granted (BT.709, narrow range): brightness for each pixel, the
   * two colours for each four. The browser's own conversion is some shades off.
   */
  const planesOf = (bitmap) => {
    const { width, height } = size;
    const { data } = draw(bitmap).getContext('2d').getImageData(0, 0, width, height);
    const planes = new Uint8ClampedArray(width * height * 1.5);
    const offsets = [0, 1, width, width + 1];
    let blue = width * height;
    let red = blue * 1.25;
    for (let y = 0; y < height; y += 2) {
      for (let x = 0; x < width; x += 2) {
        let [r, g, b] = [0, 0, 0];
        for (const offset of offsets) {
          const pixel = y * width + x + offset;
          const at = pixel * 4;
          planes[pixel] = 16 + 0.1826 * data[at] + 0.6142 * data[at + 1] + 0.062 * data[at + 2];
          r += data[at];
          g += data[at + 1];
          b += data[at + 2];
        }
        planes[blue++] = 128 + (0.4392 * b - 0.1006 * r - 0.3386 * g) / 4;
        planes[red++] = 128 + (0.4392 * r - 0.3989 * g - 0.0403 * b) / 4;
      }
    }
    return planes;
  };

  const base64Of = (bytes) => {
    let binary = '';
    for (const byte of bytes) binary += String.fromCodePoint(byte);
    return btoa(binary);
  };

  const keep = (chunk) => {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    frames.push({
      time: chunk.timestamp / 1000,
      key: chunk.type === 'key',
      data: base64Of(bytes),
    });
  };

  globalThis.pictures = {
    start({ width, height }) {
      size = { width, height };
      encoder = new VideoEncoder({
        output: keep,
        error: (error) => {
          throw error;
        },
      });
      encoder.configure({
        codec: 'vp09.00.40.08',
        width,
        height,
        latencyMode: 'quality',
        bitrateMode: 'quantizer',
      });
    },
    async add(png, { time, key, quantizer }) {
      const bitmap = await bitmapOf(png);
      const frame = new VideoFrame(planesOf(bitmap), {
        format: 'I420',
        codedWidth: size.width,
        codedHeight: size.height,
        timestamp: time * 1000,
        colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
      });
      encoder.encode(frame, { keyFrame: key, vp9: { quantizer } });
      frame.close();
      bitmap.close();
      // No more than one picture waits, so that the memory stays small.
      while (encoder.encodeQueueSize > 1) {
        await new Promise((resolve) => {
          encoder.addEventListener('dequeue', resolve, { once: true });
        });
      }
    },
    async finish() {
      await encoder.flush();
      return frames;
    },
    async toWebp(png, quality) {
      const bitmap = await bitmapOf(png);
      const blob = await draw(bitmap).convertToBlob({ type: 'image/webp', quality });
      return base64Of(new Uint8Array(await blob.arrayBuffer()));
    },
  };
})();
