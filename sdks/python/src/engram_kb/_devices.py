"""The call with which a device registers and reports."""

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
    """Reports how far a device is. If the device itself is given, its name stays."""
    given = {"name": name, "platform": platform, "version": version}
    if isinstance(device, Device):
        given = {key: value or getattr(device, key) for key, value in given.items()}
    if None in given.values():
        raise ArgumentError("With an id, name, platform and version are needed.", code="device")
    call = call_of(REPORT_DEVICE, {"id": device, "report": report, **given})
    return replace(call, repeat=Repeat.ALWAYS)
