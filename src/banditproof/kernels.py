"""The one file that knows numba: how a kernel is compiled, where compiled code is kept, and 64-bit arithmetic that both modes share.

`kernel = compiled(_kernel)` keeps the Python function reachable. A part that comes into a loop from outside (environment, client
randomiser, corruption, shuffler) is compiled with one of the fixed signatures below and travels as a first-class function.

numba decides by the time stamp of a kernel's own file whether cached code is fresh, so a kernel edited in another file would leave a
stale entry. Hence the cache folder's name is a hash of all sources that the kernel reaches, of the versions and of the CPU. What sources do
not say is looked up with the types (`_Cache`): the values of globals, which compiled code keeps, and the fields of the tuples that a kernel
is called with, whose classes may be of sources that it does not reach.
"""

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numba.core.compiler_lock
import numpy as np
from llvmlite import ir
from numba import types
from numba._dispatcher import compute_fingerprint
from numba.core import cgutils
from numba.core.caching import FunctionCache
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.imputils import lower_builtin
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, builtin_registry, signature
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, intrinsic, models, overload, register_model, typeof_impl, unbox

from banditproof import sources
from banditproof.file_lock import alone
from banditproof.phases import Phase, phase

Kernel = Callable[..., Any]
F = TypeVar("F", bound=Kernel)

_FLOATS, _INTS, _WORDS = types.float64[::1], types.int64[::1], types.uint64[::1]
_MATRIX, _CUBE, _INT, _FLOAT = types.float64[:, ::1], types.float64[:, :, ::1], types.int64, types.float64
FLOAT, INT, WORD, BOOLEAN, VOID = types.float64, types.int64, types.uint64, types.boolean, types.none  # of `lanes`
# (K, d), indexed by arm and column; in memory the arms' numbers of one column stand side by side (Fortran's order, the transpose of a
# (d, K) array), so that loops over the arms become vector instructions.
_CONTEXTS = types.float64[::1, :]

# An array becomes seven arguments: two integers side by side behind it are stored together and read apart, which stalls (20 ns per call).
PRESENT = _INT(_FLOATS, _FLOATS, _WORDS, _INT, _CONTEXTS, _FLOATS)  # setup, memory, key, round, contexts, means; the next round to present
REWARD = _FLOAT(_FLOATS, _FLOATS, _INT, _WORDS, _INT, _CONTEXTS)  # setup, memory, round, key, arm, contexts
RANDOMISE = types.void(_FLOATS, _WORDS, _INT, _FLOATS, _MATRIX)  # setup, key, round, message, report
CORRUPT = types.void(_FLOATS, _FLOATS, _INT, _WORDS, _INT, _FLOATS)  # setup, memory, round, key, arm, values
CORRUPT_BATCH = types.void(_FLOATS, _FLOATS, _INT, _WORDS, _INTS, _CONTEXTS, _CUBE)  # setup, memory, round, key, arms, contexts, reports
SHUFFLE = types.void(_FLOATS, _WORDS, _INT, _INTS)  # setup, key, first, order
REWARD_BLOCK = types.void(_FLOATS, _FLOATS, _INT, _WORDS, _INT, _FLOATS)  # setup, memory, first, key, arm, rewards (n,)
CORRUPT_BLOCK = REWARD_BLOCK  # of the wire REWARDS: changes the rewards of n rounds
# setup, memory, key, first, sets (d, n), means (n,), rewards (r K,) of the r rounds; the next round to present: first + 1, or where the K
# columns from the first one on stay for all r rounds one that is no earlier than first + r; or -1 - p where nothing was filled, since the
# memory has all of it from p on and keeps it for these rounds: means (n,), sets (d, n), rewards (r K,) or more
PRESENT_SETS = _INT(_FLOATS, _FLOATS, _WORDS, _INT, _MATRIX, _FLOATS, _FLOATS)
REWARD_TALLY = _INT(_FLOATS, _FLOATS, _INT, _INT, _WORDS, _INT, _FLOATS, _INTS)  # ..., first, rounds, key, arm, values, counts; how many

_MASK = (1 << 64) - 1
_NO_ENTRIES = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_dispatchers: list[Any] = []
_natives: list[Any] = []
_bound: dict[tuple[Any, ...], Kernel] = {}
_locks: set[tuple[Path, str]] = set()  # those that this process holds: a kernel made by a function may call another made by it
_folders: set[Path] = set()  # where the compiled forms of this process's kernels are kept


class Part:
    """A kernel of a fixed signature, which compiled code takes as a first-class function; compiled, or read from the cache, at first use.

    Called from Python it is the plain function. Unlike a function it does not turn into a method where a class holds it."""

    def __init__(self, function: Kernel, signature: Any, allocates: bool, block: Kernel | None, tally: Kernel | None) -> None:
        self.__wrapped__, self._signature, self._allocates = function, signature, allocates
        self._native: Any = None
        self.block, self.tally = block, tally
        self._folder = _cache_folder(function, allocates)  # now: a source edited before the first use is not what was loaded

    def __call__(self, *arguments: Any) -> Any:
        return self.__wrapped__(*arguments)

    def native(self) -> Any:
        """What a compiled loop takes."""
        if numba.config.DISABLE_JIT:
            return self.__wrapped__
        if self._native is None:
            with _once(self.__wrapped__, self._folder), _caching_in(self._folder) as cache:
                asked = self._signature.args, self._signature.return_type
                self._native = _Native(self.__wrapped__, asked, locals={}, options={"nopython": True, "_nrt": self._allocates})
                if cache:
                    self._native._cache = _Cache(self.__wrapped__)
                self._native.compile()
            _natives.append(self._native)
        return self._native


class _Native(CFunc):
    """The compiled form of a part."""


class _First(types.FunctionType):  # type: ignore[misc]
    """The type of such a form: numba's of a first-class function, but that its address is read off the object where Python passes one into
    a loop. numba asks Python functions for it and compares signatures, which is most of the time of a call with ten of them."""


register_model(_First)(FunctionModel)


@typeof_impl.register(_Native)  # type: ignore[untyped-decorator]
def _type_of_native(part: Any, _context: Any) -> _First:
    return _First(part._sig)


@unbox(_First)  # type: ignore[untyped-decorator]
def _unbox_native(kind: Any, part: Any, within: Any) -> NativeValue:
    found = cgutils.create_struct_proxy(kind)(within.context, within.builder)
    address = within.pyapi.object_getattr_string(part, "_wrapper_address")
    found.c_addr = within.pyapi.long_as_voidptr(address)
    within.pyapi.decref(address)
    found.py_addr = within.builder.bitcast(part, found.py_addr.type)
    found.jit_addr = cgutils.get_null_value(found.jit_addr.type)
    return NativeValue(found._getvalue())


def compiled(
    function: F,
    signature: Any = None,
    *,
    allocates: bool = False,
    inline: bool = False,
    block: Kernel | None = None,
    tally: Kernel | None = None,
) -> F:
    """The compiled form of a plain kernel, cached on disk; the plain form stays reachable by `plain`.

    With one of the signatures of this module the result can be passed into a loop as a first-class function.
    Never fastmath: the arms must be those of the plain form, bit for bit. Without reference counts, which would take half of a short
    round: so a kernel makes no arrays, strings or lists, or says `allocates` and keeps them to itself. `inline`: into each caller.
    `block`: what does several rounds at once, bit for bit what this kernel does round by round (`block_of`). `tally`: what draws how often
    each value comes in several rounds, equal to it in distribution alone (`tally_of`)."""
    if signature is not None:
        return cast(F, Part(function, signature, allocates, block, tally))
    if numba.config.DISABLE_JIT:
        return function
    # A call from Python lets the other threads run meanwhile.
    return cast(F, _Kernel(function, None, {"nopython": True, "nogil": True, "_nrt": allocates, "forceinline": inline}))


class _Cache(FunctionCache):  # type: ignore[misc]
    """Compiled forms by the types of their arguments, where a tuple is known by its class's name and fields: by the class alone, as numba
    has it, code for other fields would be read back, and nothing could be where a class is gone. And by the values of globals."""

    def _index_key(self, types: Any, codegen: Any) -> Any:
        asked = tuple(map(_described, types)) if isinstance(types, tuple) else types
        return (asked, constants(self._py_func), *super()._index_key(types, codegen)[1:])


def _described(kind: Any) -> Any:
    if not isinstance(kind, types.BaseTuple):
        return kind
    made = kind.instance_class if isinstance(kind, types.BaseNamedTuple) else tuple
    return made.__module__, made.__qualname__, getattr(kind, "fields", ()), *map(_described, kind)


class _Form(CPUDispatcher):  # type: ignore[misc]
    """What compiles a function for each of the types that it is called with, whoever asks for it: numba, which looks into the cache first,
    under the function's lock."""

    _library: type = JITCodeLibrary  # what keeps the code

    def __init__(self, function: Kernel, locals: Any, targetoptions: dict[str, bool], folder: Path | None) -> None:
        super().__init__(function, locals, targetoptions)
        self.folder = folder
        with _caching_in(folder) as cache:
            if cache:
                self._cache = _Cache(self.py_func)
        _dispatchers.append(self)

    def compile(self, types: Any) -> Any:
        codegen = self.targetctx.codegen()
        with _once(self.py_func, self.folder):
            before, codegen._library_class = codegen._library_class, self._library
            try:
                return super().compile(types)
            finally:
                codegen._library_class = before


class _Kernel(_Form):
    """A kernel that Python can call. numba makes it with these arguments again where it was pickled."""

    def __init__(self, function: Kernel, locals: Any, targetoptions: dict[str, bool]) -> None:
        folder = _cache_folder(function, targetoptions["_nrt"], targetoptions["forceinline"])
        super().__init__(function, locals, targetoptions, folder)

    @functools.cached_property
    def within(self) -> Any:
        """The form that other kernels take; kept beside this one, so for the same sources."""
        folder = self.folder and _made(f"{self.folder.name}-within")
        return _Within(self.py_func, None, self.targetoptions | _NO_ENTRIES, folder)

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.within)


class _Intermediate(JITCodeLibrary):  # type: ignore[misc]
    """Code in LLVM's intermediate form, which other kernels take in; machine code only where somebody wants a function's address, as numba
    does of its own functions that have entries."""

    _machine_code = False

    def _optimize_final_module(self) -> None:
        """Not where it takes in such code itself: that is optimised alone, and all together in the kernels that Python calls."""
        if self._machine_code or not any(isinstance(library, _Intermediate) for library in self._linking_libraries):
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if not self._machine_code and any(function.name == name for function in self.get_defined_functions()):
            self._machine_code = True
            self._optimize_final_module()
            super()._finalize_final_module()
        return int(super().get_pointer_to_function(name)) if self._machine_code else 0

    def serialize_using_object_code(self) -> Any:
        return super().serialize_using_object_code() if self._machine_code else self.serialize_using_bitcode()

    @property
    def codegen(self) -> Any:
        return super().codegen if self._machine_code else self  # of which numba asks one thing here, `set_env`

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: it is for functions that Python calls."""


class _Within(_Form):
    """The form of a kernel that other kernels take: without entries for Python and without machine code, which are most of what is
    compiled of a short function."""

    _library = _Intermediate


@contextlib.contextmanager
def _once(function: Kernel, folder: Path | None) -> Iterator[None]:
    """Inside, no other process compiles this kernel: when it is this one's turn, it finds in the cache what the other has compiled.

    numba's own lock is taken first, so that at most one thread of a process has locks of kernels. Two processes do not wait for each other,
    since a kernel is compiled inside those that call it, and those calls make no circle.
    """
    name = f"{function.__name__}-{function.__code__.co_firstlineno}.lock"
    with phase(Phase.COMPILING), numba.core.compiler_lock.global_compiler_lock:
        if folder is None or (folder, name) in _locks:
            yield
            return
        _locks.add((folder, name))
        try:
            with alone(folder / name):
                yield
        finally:
            _locks.remove((folder, name))


def has(extension: str) -> bool:
    """Whether this processor has an extension of its instructions, by LLVM's name ("avx512f"): results never depend on it."""
    return bool(llvmlite.binding.get_host_cpu_features().get(extension))


def of_lanes(function: F) -> F:
    """A helper that takes or returns `lanes`: plain in plain Python, which has no such registers, and inlined into compiled callers."""
    return cast(F, numba.extending.register_jitable(_nrt=False, forceinline=True, **_NO_ENTRIES)(function))


def inlined(function: F) -> F:
    """A kernel that takes kernels as arguments; its caller absorbs it, else numba would refuse to cache the caller."""
    return cast(F, numba.njit(inline="always", _nrt=False)(function))


def plain(kernel: F) -> F:
    """The Python function behind a compiled kernel."""
    return cast(F, getattr(kernel, "py_func", None) or getattr(kernel, "__wrapped__", kernel))


def native(kernel: Kernel) -> Kernel:
    """A kernel of a fixed signature as a compiled loop takes it."""
    return kernel.native() if isinstance(kernel, Part) else kernel


def block_of(kernel: Kernel) -> Kernel | None:
    """The kernel that does several rounds of this one at once; None where there is none."""
    return kernel.block if isinstance(kernel, Part) else None


def tally_of(kernel: Kernel) -> Kernel | None:
    """The kernel that draws the values of several rounds by their counts; None where there is none."""
    return kernel.tally if isinstance(kernel, Part) else None


def bound(kernel: Kernel, *arguments: Any) -> Kernel:
    """The compiled form of a kernel for arguments of these types, which a call does not look at again: 0.004 ms per call instead of 0.3 ms
    for a tuple of forty arrays. Looked up by fingerprints of the types, since to make the types takes 1 ms."""
    if numba.config.DISABLE_JIT:
        return kernel
    key = (kernel, _fingerprint(arguments))
    if key not in _bound:
        _bound[key] = cast(Any, kernel).compile(tuple(numba.typeof(argument) for argument in arguments))
    return _bound[key]


def _fingerprint(value: Any) -> Any:
    """What is the same for values of the same type of compiled code, and for no others."""
    if isinstance(value, tuple):
        return type(value), *map(_fingerprint, value)
    try:
        return compute_fingerprint(value)
    except NotImplementedError:  # a first-class function
        return _type_of(value)


@functools.cache
def _type_of(function: Kernel) -> Any:
    """numba makes the type of a first-class function anew at every question, in a tenth of a short run's time."""
    return numba.typeof(function)


def compilations() -> int:
    """How many kernels this process had to compile because the cache did not hold them."""
    loops = sum(sum(kernel.stats.cache_misses.values()) for kernel in _dispatchers)
    return int(loops + sum(part.cache_hits == 0 for part in _natives))


def cold() -> bool:
    """Whether there are kernels, and none of them has a compiled form on this machine: the first calls will wait for the compiler."""
    return bool(_folders) and not any(next(folder.rglob("*.nbi"), None) for folder in _folders)


def multiply(left: np.uint64, right: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Upper and lower 64 bits of the 128-bit product: together, since compiled apart they are two multiplications."""
    product = int(left) * int(right)
    return np.uint64(product >> 64), np.uint64(product & _MASK)


def add_low(left: np.uint64, right: np.uint64) -> np.uint64:
    """Sum modulo 2 ** 64."""
    return np.uint64((int(left) + int(right)) & _MASK)


@intrinsic  # type: ignore[untyped-decorator]
def _multiply(_context: Any, _first: Any, _second: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        high, low = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word), builder.trunc(product, word)
        return builder.insert_value(builder.insert_value(ir.Constant(ir.ArrayType(word, 2), ir.Undefined), high, 0), low, 1)

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), emit


# numba compares the argument names and annotations of an overload with those of its body, so these two carry none.
@overload(multiply, inline="always")
def _compiled_multiply(left, right):  # type: ignore[no-untyped-def]
    return lambda left, right: _multiply(left, right)


@overload(add_low, inline="always")
def _compiled_add_low(left, right):  # type: ignore[no-untyped-def]
    return lambda left, right: left + right


class Side(types.Type):  # type: ignore[misc]
    """So many numbers of one kind side by side, as one value of compiled code: `lanes`."""

    def __init__(self, number: Any, count: int) -> None:
        self.number, self.count = number, count
        super().__init__(name=f"side({number}, {count})")


@register_model(Side)
class _SideModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Side) -> None:
        number = {"float64": ir.DoubleType(), "int64": ir.IntType(64), "uint64": ir.IntType(64), "boolean": ir.IntType(1)}[str(kind.number)]
        super().__init__(manager, kind, ir.VectorType(number, kind.count))


def operation(function: Kernel, result: Callable[..., Any], emit: Callable[..., Any]) -> None:
    """Gives a plain function, or an operator, a compiled form: result(*types) is the type that it returns, None where it takes no such;
    emit(builder, types, values) -> value. Numbers that are constants come with types that know them (`literal_value`)."""

    class _Template(AbstractTemplate):  # type: ignore[misc]
        key, prefer_literal = function, True

        def generic(self, arguments: Any, keywords: Any) -> Any:
            found = result(*arguments)
            return None if found is None else signature(found, *arguments)

    builtin_registry.register_global(function, types.Function(_Template))

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def _lower(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
        return emit(context, builder, found, arguments)


def kernel_hash(kernel: Kernel) -> str:
    """Hash of all sources that a kernel reaches, of the versions that shape compiled code, and of the CPU."""
    facts = (sources.reached(*sorted(_roots(plain(kernel)), key=str)).digest, *machine())
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()


@functools.cache
def machine() -> tuple[str, ...]:
    """What shapes compiled code beside its sources: versions, and the CPU."""
    return np.__version__, numba.__version__, llvmlite.__version__, llvmlite.binding.get_host_cpu_name()


@functools.cache
def constants(kernel: Kernel) -> str:
    """Hash of the values that compiled code keeps of globals: numbers, words, enumerations, arrays, and tuples of these, of the kernel and
    of all functions that it reaches by their names."""
    found, waiting, seen = list[str](), [plain(kernel)], set[Kernel]()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        values, functions = _globals_of(part)
        found += [f"{part.__module__}.{part.__qualname__} {name} {_value(value)}" for name, value in values]
        waiting += functions
    return hashlib.sha256("\0".join(sorted(found)).encode()).hexdigest()


@functools.cache
def _globals_of(function: Kernel) -> tuple[list[tuple[str, Any]], list[Kernel]]:
    """The values and the functions that a function names, in its module and in modules that it names."""
    named = {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}
    for name, module in [(name, value) for name, value in named.items() if isinstance(value, ModuleType)]:
        named |= {f"{name}.{each}": vars(module)[each] for each in function.__code__.co_names if each in vars(module)}
    found = [plain(value) for value in (*named.values(), *_closed_over(function))]
    theirs = "numba", "numpy"
    functions: list[Kernel] = [
        each for each in found if isinstance(each, FunctionType) and str(each.__module__).partition(".")[0] not in theirs
    ]
    return [(name, value) for name, value in named.items() if isinstance(value, _KEPT)], functions


_KEPT = (bool, int, float, complex, str, bytes, tuple, Enum, np.generic, np.ndarray)


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"{type(value).__qualname__}({', '.join(map(_value, value))})"
    return repr(value) if isinstance(value, _KEPT) else type(value).__qualname__


def _roots(function: Kernel) -> set[str | Path]:
    """Where a function and the kernels that it closes over are written: modules, or a file that none of their modules was loaded from."""
    found, waiting, seen = set[str | Path](), [function], set[Kernel]()
    while waiting:
        part = waiting.pop()
        seen.add(part)
        names = {str(name) for name in (part.__module__, part.__globals__.get("__name__")) if name in sys.modules}
        found |= names
        path = part.__code__.co_filename
        if path not in [getattr(sys.modules[name], "__file__", None) for name in names]:
            found.add(Path(path))
        inside = map(plain, _closed_over(part))
        waiting += [each for each in inside if isinstance(each, FunctionType) and each not in seen]
    return found


def _closed_over(function: Kernel) -> list[Any]:
    """What a function closes over, but for cells that are empty so far."""
    return [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]


@contextlib.contextmanager
def _caching_in(folder: Path | None) -> Iterator[bool]:
    with numba.core.compiler_lock.global_compiler_lock:  # the folder is one for all threads
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = before if folder is None else str(folder)
        try:
            yield folder is not None
        finally:
            numba.config.CACHE_DIR = before


def _cache_folder(function: Kernel, allocates: bool = False, inline: bool = False) -> Path | None:
    """Where the compiled form is kept; None for a function typed at a prompt: nowhere to look for changes."""
    if numba.config.DISABLE_JIT or not os.path.exists(function.__code__.co_filename):
        return None
    # numba does not look at the options: the same function with others would be read back as if it had these.
    return _made(kernel_hash(function)[:24] + "-allocates" * allocates + "-inline" * inline)


def _made(name: str) -> Path:
    """The folder of this name, which is there now."""
    folder, otherwise = (store / name for store in stores())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a read-only home: compiled code lives as long as the machine's temporary folder
        folder = otherwise
        folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # a cache that somebody else filled, and that can be read alone
        os.utime(folder)
    _folders.add(folder)
    return folder


def stores() -> tuple[Path, Path]:
    """Where the folders of compiled kernels are: in the user's cache, or, where that cannot be written, in the temporary folder."""
    return sources.cache_folder() / "kernels", Path(tempfile.gettempdir()) / "banditproof" / "kernels"


def folders_in_use() -> frozenset[Path]:
    """The folders of the kernels that this process has declared. The time stamp of each says when a process last did so."""
    return frozenset(_folders)


def _copy(source: Any, target: Any) -> None:
    """The first entries of target are those of source (n,). A loop: numba's slice assignment costs ten times a short copy. Of slices: an
    index that is computed might count from the end, and so a loop over such indices gathers its numbers one by one."""
    for place in range(source.shape[0]):
        target[place] = source[place]


copy = compiled(_copy, inline=True)
