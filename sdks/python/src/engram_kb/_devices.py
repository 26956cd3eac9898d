"""The devices that keep folders in step."""

from __future__ import annotations

from . import _folder_calls
from ._run import AsyncRunner, SyncRunner
from .folders import Device, DeviceReport


class Devices:
    """The devices that keep folders in step."""

    def __init__(self, runner: SyncRunner) -> None:
        self._runner = runner

    def register(
        self, name: str, *, platform: str, version: str, report: DeviceReport | None = None
    ) -> Device:
        """Registers a device, once; keep its id. `version` is that of your program."""
        return self._runner.call(_folder_calls.register(name, platform, version, report))

    def report(
        self,
        device: Device | str,
        report: DeviceReport | None = None,
        *,
        name: str | None = None,
        platform: str | None = None,
        version: str | None = None,
    ) -> Device:
        """Reports how far a device is; the answer says what the person wants of it.

        With an id alone, `name`, `platform` and `version` are needed too. NotFoundError means that
        the person ended the device.
        """
        call = _folder_calls.report(device, report, name=name, platform=platform, version=version)
        return self._runner.call(call)

    def list(self) -> list[Device]:
        """All devices, newest first."""
        return self._runner.call(_folder_calls.list_devices())

    def end(self, device: Device | str) -> None:
        """Ends a device: what it was let in with stops working, its files stay."""
        self._runner.call(_folder_calls.end(device))


class AsyncDevices:
    """The devices that keep folders in step, for programs that await."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def register(
        self, name: str, *, platform: str, version: str, report: DeviceReport | None = None
    ) -> Device:
        """Registers a device, once; keep its id. `version` is that of your program."""
        return await self._runner.call(_folder_calls.register(name, platform, version, report))

    async def report(
        self,
        device: Device | str,
        report: DeviceReport | None = None,
        *,
        name: str | None = None,
        platform: str | None = None,
        version: str | None = None,
    ) -> Device:
        """Reports how far a device is; the answer says what the person wants of it.

        With an id alone, `name`, `platform` and `version` are needed too. NotFoundError means that
        the person ended the device.
        """
        call = _folder_calls.report(device, report, name=name, platform=platform, version=version)
        return await self._runner.call(call)

    async def list(self) -> list[Device]:
        """All devices, newest first."""
        return await self._runner.call(_folder_calls.list_devices())

    async def end(self, device: Device | str) -> None:
        """Ends a device: what it was let in with stops working, its files stay."""
        await self._runner.call(_folder_calls.end(device))
