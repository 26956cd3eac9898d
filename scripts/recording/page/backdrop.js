// Runs in a page of its own: draws one picture of the questionnaire's background.
(() => {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  let layers;

  const TURN = 2 * Math.PI;
  /** Everything goes round whole times in a clip, so that its end leads into its begin. */
  const around = (part, { turns, phase }) => ({
    x: Math.cos(TURN * (part * turns + phase)),
    y: Math.sin(TURN * (part * turns + phase)),
  });

  const glow = (x, y, radius, colour) => {
    const light = context.createRadialGradient(x, y, 0, x, y, radius);
    light.addColorStop(0, `rgb(${colour} / 0.5)`);
    light.addColorStop(1, `rgb(${colour} / 0)`);
    context.fillStyle = light;
    context.fillRect(0, 0, canvas.width, canvas.height);
  };

  const ground = (part) => {
    const { width, height } = canvas;
    const base = context.createLinearGradient(0, 0, width * 0.8, height);
    base.addColorStop(0, '#4d3cc9');
    base.addColorStop(0.45, '#3a2da0');
    base.addColorStop(1, '#231a6b');
    context.fillStyle = base;
    context.fillRect(0, 0, width, height);
    const first = around(part, { turns: 1, phase: 0 });
    const second = around(part, { turns: -1, phase: 0.3 });
    glow(
      width * (0.28 + 0.07 * first.x),
      height * (0.3 + 0.1 * first.y),
      width * 0.42,
      '139 123 255',
    );
    glow(
      width * (0.74 + 0.07 * second.x),
      height * (0.7 + 0.1 * second.y),
      width * 0.38,
      '111 94 233',
    );
  };

  const drawLayer = ({ points, radius, reach, drift, opacity }, part) => {
    const places = points.map((point) => {
      const { x, y } = around(part, point);
      return { x: point.x + drift * x, y: point.y + drift * y };
    });
    context.strokeStyle = '#ffffff';
    context.fillStyle = '#ffffff';
    for (const [index, from] of places.entries()) {
      for (const to of places.slice(index + 1)) {
        const strength = 1 - Math.hypot(from.x - to.x, from.y - to.y) / reach;
        if (strength <= 0) continue;
        context.globalAlpha = opacity * strength;
        context.beginPath();
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
        context.stroke();
      }
      context.globalAlpha = opacity;
      context.beginPath();
      context.arc(from.x, from.y, radius, 0, TURN);
      context.fill();
    }
    context.globalAlpha = 1;
  };

  globalThis.backdrop = {
    start(size, drawn) {
      canvas.width = size.width;
      canvas.height = size.height;
      layers = drawn;
    },
    /** The picture at a part of the clip, from 0 to 1, as a PNG in base64. */
    draw(part) {
      ground(part);
      for (const layer of layers) drawLayer(layer, part);
      return canvas.toDataURL('image/png').split(',', 2)[1];
    },
  };
})();
