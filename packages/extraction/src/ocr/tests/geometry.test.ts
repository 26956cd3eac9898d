import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxOnOriginal, scaleToRecognize } from '../prepare.ts';

const side = fc.integer({ min: 8, max: 4000 });
const pictureSize = fc.record({ width: side, height: side });
const place = fc.record({
  x: fc.double({ min: 0, max: 0.8, noNaN: true }),
  y: fc.double({ min: 0, max: 0.8, noNaN: true }),
  w: fc.double({ min: 0.01, max: 0.2, noNaN: true }),
  h: fc.double({ min: 0.01, max: 0.2, noNaN: true }),
});

/** The corners of a rectangle after the picture is rotated and scaled. */
function turnedBox(
  picture: { width: number; height: number },
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  degrees: number,
  scale: number,
) {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const size = {
    width: scale * (picture.width * Math.abs(cos) + picture.height * Math.abs(sin)),
    height: scale * (picture.width * Math.abs(sin) + picture.height * Math.abs(cos)),
  };
  const corners = [x, x + w].flatMap((left) =>
    [y, y + h].map((top) => {
      const dx = (left - 0.5) * picture.width * scale;
      const dy = (top - 0.5) * picture.height * scale;
      return { x: dx * cos - dy * sin + size.width / 2, y: dx * sin + dy * cos + size.height / 2 };
    }),
  );
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const box = {
    x0: Math.min(...xs),
    x1: Math.max(...xs),
    y0: Math.min(...ys),
    y1: Math.max(...ys),
  };
  return { size, box };
}

test('a box is mapped back to the original picture after any rotation', () => {
  const degrees = fc.constantFrom(0, 90, 180, 270);
  const scale = fc.double({ min: 0.1, max: 3, noNaN: true });
  fc.assert(
    fc.property(pictureSize, place, degrees, scale, (picture, rectangle, turn, zoom) => {
      const { size, box } = turnedBox(picture, rectangle, turn, zoom);
      const original = boxOnOriginal(box, size, turn, zoom, picture);
      expect(original.left).toBeCloseTo(rectangle.x, 3);
      expect(original.top).toBeCloseTo(rectangle.y, 3);
      expect(original.width).toBeCloseTo(rectangle.w, 3);
      expect(original.height).toBeCloseTo(rectangle.h, 3);
    }),
  );
});

test('a box of a straightened picture covers the original area, and stays within the picture', () => {
  const degrees = fc.double({ min: -25, max: 25, noNaN: true });
  fc.assert(
    fc.property(pictureSize, place, degrees, (picture, rectangle, turn) => {
      const { size, box } = turnedBox(picture, rectangle, turn, 2);
      const original = boxOnOriginal(box, size, turn, 2, picture);
      expect(original.left).toBeLessThanOrEqual(rectangle.x + 0.001);
      expect(original.top).toBeLessThanOrEqual(rectangle.y + 0.001);
      expect(original.left + original.width).toBeGreaterThanOrEqual(
        rectangle.x + rectangle.w - 0.001,
      );
      expect(original.top + original.height).toBeGreaterThanOrEqual(
        rectangle.y + rectangle.h - 0.001,
      );
      expect(original.left + original.width).toBeLessThanOrEqual(1.0001);
      expect(original.top + original.height).toBeLessThanOrEqual(1.0001);
    }),
  );
});

test('no picture is enlarged beyond the limit of the engine, and small ones up to three times', () => {
  const length = fc.integer({ min: 8, max: 100_000 });
  fc.assert(
    fc.property(length, length, (width, height) => {
      const scale = scaleToRecognize({ width, height });
      expect(scale).toBeGreaterThan(0);
      expect(scale).toBeLessThanOrEqual(3);
      expect(width * height * scale * scale).toBeLessThanOrEqual(5_000_001);
      expect(Math.max(width, height) * scale).toBeLessThanOrEqual(30_000.01);
    }),
  );
});
