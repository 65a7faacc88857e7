"""A shared cache that may be unreachable. Pages are then rendered again; they are never wrong and never refused."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

PATIENCE = 0.5  # seconds

log = logging.getLogger("django.cache")


class ForgivingRedisCache(RedisCache):
    """The Redis cache. While Redis cannot be reached, nothing is found and nothing is stored."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Ask Redis only once, with a short timeout: a cache slower than rendering the page again is useless."""
        hurry = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE, "retry": Retry(NoBackoff(), 0)}
        super().__init__(server, {**params, "OPTIONS": hurry | params.get("OPTIONS", {})})

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as error:
            return self._without(error, default)

    def set(self, key: Any, value: Any, timeout: Any = 300, version: int | None = None) -> None:
        try:
            super().set(key, value, timeout, version)
        except RedisError as error:
            self._without(error, None)

    def add(self, key: Any, value: Any, timeout: Any = 300, version: int | None = None) -> bool:
        try:
            return bool(super().add(key, value, timeout, version))
        except RedisError as error:
            return bool(self._without(error, True))

    def delete(self, key: Any, version: int | None = None) -> bool:
        try:
            return bool(super().delete(key, version))
        except RedisError as error:
            return bool(self._without(error, False))

    def _without(self, error: RedisError, instead: Any) -> Any:
        log.warning("The cache cannot be reached (%s); pages are rendered again.", type(error).__name__)
        return instead
