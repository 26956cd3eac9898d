"""The call by which devices register and report."""

from __future__ import annotations

from dataclasses import replace

from ._api import REPORT_DEVICE, Device, DeviceReport
from ._core import Call, Repeat
from ._spec import call_of
from .errors import ArgumentError


def register(name: str, platform: str, version: str, report: DeviceReport | None) -> Call[Device]:
    """Registers a device. The call is not idempotent."""
    values = {"name": name, "platform": platform, "version": version, "report": report}
    return call_of(REPORT_DEVICE, values)


def report(
    device: Device | str,
    report: DeviceReport | None,
    name: str | None,
    platform: str | None,
    version: str | None,
) -> Call[Device]:
    """Reports the progress of a device. A device object supplies its own name."""
    fields = {"name": name, "platform": platform, "version": version}
    if isinstance(device, Device):
        fields = {key: value or getattr(device, key) for key, value in fields.items()}
    if None in fields.values():
        raise ArgumentError("An ID requires name, platform and version.", code="device")
    call = call_of(REPORT_DEVICE, {"id": device, "report": report, **fields})
    return replace(call, repeat=Repeat.ALWAYS)
