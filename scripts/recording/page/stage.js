// Runs in the page that is filmed, before the page's own scripts.
(() => {
  const ARROW =
    '<svg width="24" height="28" viewBox="0 0 24 28"><path d="M3 2v20l5-4.6 3.3 7.8 3.7-1.6-3.3-7.6H19z" fill="#17171c" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/></svg>';
  const FINGER =
    '<svg width="1" height="1" overflow="visible"><circle r="16" fill="#5746d9" fill-opacity="0.28" stroke="#5746d9" stroke-opacity="0.7" stroke-width="2"/></svg>';
  const pointer = document.createElement('div');

  globalThis.stage = {
    drawPointer(touch) {
      pointer.popover = 'manual';
      pointer.style.cssText =
        'position:fixed;inset:0 auto auto 0;margin:0;border:0;padding:0;overflow:visible;background:none;pointer-events:none';
      pointer.innerHTML = touch ? FINGER : ARROW;
      document.documentElement.append(pointer);
    },
    placePointer(x, y, size) {
      // Shown again, so that it lies over a dialog that has opened meanwhile.
      pointer.hidePopover();
      pointer.showPopover();
      pointer.style.transform = `translate(${x}px, ${y}px) scale(${size})`;
    },
    /** Moves transitions and animations of styles on by some milliseconds. */
    step(duration) {
      for (const animation of document.getAnimations()) {
        if (animation.playState === 'running') animation.pause();
        const end = animation.effect?.getComputedTiming().endTime ?? Infinity;
        const next = Number(animation.currentTime ?? 0) + duration;
        if (next >= end) animation.finish();
        else animation.currentTime = next;
      }
    },
  };
})();
